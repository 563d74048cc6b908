/* blocks_messages: blocks-in-a-box with messages, to be compared with blocks.ac.  Plain C over active
 * messages.
 *
 * Every processor has a stack of partial solutions in private memory. The processors are a binary tree, and
 * work moves along its edges: a processor without work asks its parent and its children, each once. A
 * processor that is asked remembers it, and sends half of its stack, from the bottom, as soon as it has
 * something to spare.
 *
 * A processor asks its parent when it and all processors below it are without work, which it knows because
 * its children have asked. Messages from one processor to another arrive in the order sent, hence a child's
 * work comes before its question. So, when processor 0 has no work and all its children have asked, nobody
 * has work, and none is on its way: processor 0 sends the end down the tree.
 *
 *     blocks_messages [rounds] */
#include "blocks.h"
#include <meridian/am.h>
#include <meridian/meridian.h>
#include <string.h>

#define MOST (MER_AM_MEDIUM / (int)sizeof(struct partial)) /* in one message */
#define PARTS (ARRANGEMENTS + 3 * MOST + SHAPES * (CUT + 1))

enum { PARENT, LEFT, RIGHT, NEIGHBOURS };

static int me, processors;
static int neighbour[NEIGHBOURS]; /* -1: none */

static struct partial stack[PARTS];
static int top;

/* Changed by handlers. */
static int hungry[NEIGHBOURS]; /* has asked; no work has been sent either way since */
static int asked[NEIGHBOURS];  /* was asked by this processor; no work has been sent either way since */
static int ended;

static struct tally gathered; /* processor 0: the results of all */
static int reports;

static int ask_handler, work_handler, end_handler, report_handler;

/* ---- handlers --------------------------------------------------------------------------------------- */

static int place_of(int processor) {
    for (int place = 0; place < NEIGHBOURS; place++)
        if (neighbour[place] == processor)
            return place;
    return 0;
}

static void on_ask(struct mer_am_message *m) { hungry[place_of(m->source)] = 1; }

/* A neighbour that sends work needs none. */
static void on_work(struct mer_am_message *m) {
    int place = place_of(m->source);
    memcpy(&stack[top], m->payload, m->length);
    top += (int)(m->length / sizeof(struct partial));
    asked[place] = hungry[place] = 0;
}

static void on_end(struct mer_am_message *m) {
    (void)m;
    ended = 1;
}

static void on_report(struct mer_am_message *m) {
    gathered.packings += (long)m->args[0];
    gathered.partials += (long)m->args[1];
    gathered.digest += m->args[2];
    reports++;
}

/* ---- asking and sending ----------------------------------------------------------------------------- */

static void ask(int place) {
    if (neighbour[place] >= 0 && !asked[place]) {
        asked[place] = 1;
        MER_AM_REQUEST(neighbour[place], ask_handler, 0);
    }
}

/* Sends half of the stack, from the bottom, to neighbours that have asked, as long as there is something to
 * spare. */
static void feed(void) {
    for (int place = 0; place < NEIGHBOURS; place++)
        if (hungry[place] && top >= 2) {
            int n = top / 2 > MOST ? MOST : top / 2;
            struct partial sent[MOST];
            memcpy(sent, stack, (size_t)n * sizeof *sent);
            top -= n;
            memmove(stack, stack + n, (size_t)top * sizeof *stack);
            hungry[place] = asked[place] = 0;
            mer_am_request_medium(neighbour[place], work_handler, sent, (size_t)n * sizeof *sent, NULL, 0);
        }
}

static int all_below_hungry(void) {
    return (neighbour[LEFT] < 0 || hungry[LEFT]) && (neighbour[RIGHT] < 0 || hungry[RIGHT]);
}

/* Waits for work. Returns 0 if the search has ended. */
static int get_work(void) {
    while (top == 0 && !ended) {
        for (int place = LEFT; place <= RIGHT; place++)
            if (!hungry[place])
                ask(place);
        if (all_below_hungry()) {
            if (me == 0)
                ended = 1;
            else
                ask(PARENT);
        }
        int below = all_below_hungry();
        MER_AM_WAIT_UNTIL(top > 0 || ended || below != all_below_hungry());
    }
    if (ended)
        for (int place = LEFT; place <= RIGHT; place++)
            if (neighbour[place] >= 0)
                MER_AM_REQUEST(neighbour[place], end_handler, 0);
    return !ended;
}

/* ---- the search ------------------------------------------------------------------------------------- */

static void work(struct tally *t) {
    do
        while (top > 0) {
            struct partial p = stack[--top];
            if (pieces_of(&p) >= CUT) {
                search(&p, t);
            } else {
                t->partials++;
                top += extend(&p, &stack[top]);
            }
            mer_am_poll();
            feed();
        }
    while (get_work());
}

/* One search by all processors. */
static void search_together(struct tally *t) {
    ended = top = 0;
    memset(hungry, 0, sizeof hungry);
    memset(asked, 0, sizeof asked);
    mer_barrier_all();
    if (me == 0)
        for (int number = 0; number < ARRANGEMENTS; number++)
            top += place_rods(number, &stack[top]);
    work(t);
    mer_barrier_all();
}

static void begin(void) {
    me = mer_mythread(), processors = mer_threads();
    neighbour[PARENT] = me > 0 ? (me - 1) / 2 : -1;
    neighbour[LEFT] = 2 * me + 1 < processors ? 2 * me + 1 : -1;
    neighbour[RIGHT] = 2 * me + 2 < processors ? 2 * me + 2 : -1;
    ask_handler = mer_am_register(on_ask);
    work_handler = mer_am_register(on_work);
    end_handler = mer_am_register(on_end);
    report_handler = mer_am_register(on_report);
    make_placements();
    mer_barrier_all();
}

int main(int argc, char **argv) {
    long rounds = rounds_wanted(argc, argv, mer_mythread());
    if (rounds == 0)
        return 2;
    begin();
    struct tally mine = {0, 0, 0};
    double start = seconds();
    for (long round = 0; round < rounds; round++)
        search_together(&mine);
    double took = seconds() - start;
    MER_AM_REQUEST(0, report_handler, (mer_u64)mine.packings, (mer_u64)mine.partials, mine.digest);
    if (me == 0) {
        MER_AM_WAIT_UNTIL(reports == processors);
        if (!report("messages", gathered, rounds, processors, took))
            mer_global_exit(1);
    }
    mer_barrier_all();
    return 0;
}
