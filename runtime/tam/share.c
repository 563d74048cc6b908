/* Work for processors that have none.
 *
 * A processor without work asks some others once; they remember that it asked.  A processor that has
 * activations to spare which have not begun sends it the oldest.  In a program without C functions
 * (--threads=df) any activation that has waited for a while is to spare.
 *
 * If one C function computes everything, nothing is ready that could be given away.  A loop whose passes need
 * nothing of each other then gives away half of the remaining passes, if they are worth it by the time that
 * the earlier ones have taken (tam_half).  The code after the loop would run ahead of that half: if it used
 * the half's elements, it would wait for each by itself, and so would all that follows.  So the loop ends
 * when its half has ended (tam_await_half), unless the half itself waits: its processor then asks for work
 * again before the half has ended.  Such a loop is not shared again; its passes need each other's elements.
 *
 * In a program without such loops that has recursive functions which do something besides, C functions end
 * when a processor asks (tam_must_end), if such a function has been called since the last look.  The rest of
 * each is an activation, the outermost last in the queue.  It waits for a result of one call and has not
 * begun the next: its threads run now, and begin activations, which are given away.  If none can be given
 * away, the next try is later, and the time doubles. */
#include "base/clock.h"
#include "base/wrap.h"
#include "tam/count.h"
#include "tam/machine.h"

#include <sched.h>
#include <stdlib.h>

#define ASK 4                /* processors that are asked besides number 0 */
#define EXPOSED 16           /* frames that are looked at, from the oldest on */
#define ROUNDS 4             /* in which a frame's threads run, each with the values requested in the last */
#define LONGEST_WAIT 512     /* polls until the next try to make work for others */
#define IN_VAIN 200          /* polls for which a loop waits for a half that waits itself */
#define NOT_FIRST 2000       /* polls for which it waits while something else could run here */
#define WAITS_TOO 65536      /* polls after which it tells the processors that wait for it */
#define LONGEST_PAUSE 262144 /* slices for which no loop is shared */
#define MOST_DEBT 20000000   /* ns of waiting that halves must pay for at most */

static int *hungry, hungry_count, h_hungry;
/* By processor: activations that have gone there, and that have come from there. */
static uint32_t *went, *came;
static int *givers, giver_count;
static unsigned until_next, wait;
static bool serving;

/* The half that was given away last: when, and how many were under way. */
static struct {
    uint64_t ns, slices;
    unsigned before;
} last;
/* Slices for which no loop is shared, and the rest of them; the net cost of sharing since it last paid, in
 * ns. */
static uint64_t pause, pause_left;
static int64_t debt;

/* Takes a request for work.  One that has crossed with an activation is out of date: the processor has
 * something to do now, and asks again when it has not.  If a loop believed that the processor to which it has
 * given a half were without work, it would not wait for that half. */
static void on_hungry(struct mer_am_message *m) {
    if ((uint32_t)m->args[0] != went[m->source])
        return;
    for (int i = 0; i < hungry_count; i++)
        if (hungry[i] == m->source)
            return;
    hungry[hungry_count++] = m->source;
    tam_registers.wanted = pause_left == 0;
}

/* Tells the processors that have given work to this one that it is not computed now (tam_await_half). */
static void tell_givers(void) {
    for (int i = 0; i < giver_count; i++)
        MER_AM_REQUEST(givers[i], h_hungry, came[givers[i]]);
}

void tam_ask_for_work(void) {
    unsigned n = tam.processors - 1 < ASK ? (unsigned)tam.processors - 1 : ASK;
    static unsigned step;
    TAM_NOTE(ASKED);
    for (unsigned i = 0; i < n; i++) {
        int to = (int)((unsigned)tam.me + 1 + (step + i) % ((unsigned)tam.processors - 1)) % tam.processors;
        MER_AM_REQUEST(to, h_hungry, came[to]);
    }
    step += n;
    if (tam.me != 0 && n == ASK)
        MER_AM_REQUEST(0, h_hungry, came[0]);
    tell_givers();
}

/* Count an activation that goes to another processor, or has come from one; in handlers too. */
void tam_note_went(int to) { went[to]++; }
void tam_note_came(int from) { came[from]++; }
void tam_note_returned(int from) { went[from]--; } /* it was refused there */

/* Remembers a processor that has given work to this one. */
void tam_note_giver(int processor) {
    for (int i = 0; i < giver_count; i++)
        if (givers[i] == processor)
            return;
    givers[giver_count++] = processor;
}

/* Sends an activation to the processor that asked last, and returns its number. */
static int send(struct tam_join *join, const struct tam_codeblock *codeblock, const tam_word *args,
                tam_word ret, unsigned inlet) {
    int to = hungry[--hungry_count];
    tam_registers.wanted = hungry_count > 0 && pause_left == 0;
    TAM_NOTE(GIVEN);
    tam_send_invoke(to, join, codeblock, args, ret, inlet);
    return to;
}

/* ---- halves of loops ----------------------------------------------------------------------------------- */

static bool is_hungry(int processor) {
    for (int i = 0; i < hungry_count; i++)
        if (hungry[i] == processor)
            return true;
    return false;
}

/* Counts a half whose activations have all ended.  May run in a handler. */
void tam_given_ended(void) { tam_registers.given--; }

int tam_give_half(struct tam_join *join, const struct tam_codeblock *codeblock, const tam_word *args) {
    struct tam_join *given = tam_join_new(NULL, 0);
    given->given = 1;
    given->parent = join;
    if (join)
        join->count++;
    last.ns = mer_clock_ns();
    last.slices = tam_registers.slices;
    last.before = tam_registers.given++;
    int to = send(given, codeblock, args, 0, 0);
    tam_join_end(given);
    return to;
}

/* Takes account of a loop's wait for its half, which began at `from'.  As many passes stayed here as were
 * given away: their time was won, and the wait is its price.  If the processors do not run at the same time,
 * because other programs use the CPUs too, one wait for a CPU costs as much as many halves gain.  So a half
 * that was there in time does not end a pause that a late one has begun: only when the halves have paid for
 * it is the next pause short again.  Of nested loops only the innermost is known. */
static void note_wait(unsigned before, uint64_t from) {
    if (last.before != before)
        return;
    int64_t own = (int64_t)(from - last.ns), waited = (int64_t)(mer_clock_ns() - from);
    uint64_t slices = tam_registers.slices - last.slices + 1;
    debt += waited - own;
    if (debt > MOST_DEBT)
        debt = MOST_DEBT;
    if (debt <= 0) {
        debt = 0;
        pause = 0;
    }
    if (waited > own) {
        uint64_t as_long = own > 0 ? slices * (uint64_t)waited / (uint64_t)own : slices;
        uint64_t longer = 2 * pause > as_long ? 2 * pause : as_long;
        pause = longer < LONGEST_PAUSE ? longer : LONGEST_PAUSE;
        pause_left = tam.order ? 0 : pause; /* in tests everything is shared */
    }
    tam_registers.wanted = hungry_count > 0 && pause_left == 0;
}

/* Waits until a half has ended; returns 0 if the half itself waits.  No processor waits here for ever.  An
 * activation of the half that has not ended runs, or waits to run in a queue, or waits for values.
 *
 *   - If it waits to run here, or any other does, this ends soon, and all that is here runs.
 *   - If it waits to run elsewhere, that processor runs it, since its own waiting ends likewise.
 *   - If it waits for values, its processor has nothing to run and has asked for work; or the processor waits
 *     in this function, and then says so.
 *
 * (runtime/tests/model/tam_half.pml) */
int tam_await_half(unsigned before, int to) {
    unsigned in_vain = 0;
    uint64_t from = mer_clock_ns();
    for (unsigned polls = 1; tam_registers.given > before; polls++) {
        bool idle = mer_am_poll() == 0;
        tam_may_collect();
        if (tam.first)
            tam_run_items();
        if (tam.head && polls > NOT_FIRST)
            break;
        if (is_hungry(to) && ++in_vain > IN_VAIN)
            return 0;
        if (polls % WAITS_TOO == 0)
            tell_givers();
        if (idle && polls % 32 == 0)
            sched_yield(); /* there may be fewer CPUs than processors */
    }
    note_wait(before, from);
    return 1;
}

/* ---- giving -------------------------------------------------------------------------------------------- */

/* Returns whether a ready activation can begin elsewhere: it has not begun, and holds all values that it
 * waits for.  In a program that has C functions only the activations that these have left for others go: the
 * others would wait there for values that are computed here. */
static bool movable(const struct tam_frame *frame) {
    const struct tam_codeblock *codeblock = frame->codeblock;
    return (frame->spare || !tam.direct) && !frame->begun && codeblock->late == 0 && !codeblock->io &&
           frame->outstanding == 0 && codeblock->number < tam.program->count &&
           tam.program->codeblocks[codeblock->number] == codeblock;
}

/* In other programs, an activation that has been ready for a short time only runs here: a loop or a recursion
 * that has one activation at a time would else wander from processor to processor.  TAM_OLD quanta are about
 * as long as it takes to send an activation. */
static bool old(const struct tam_frame *frame) {
    return frame->spare || tam.quanta - frame->since >= TAM_OLD;
}

static void give(struct tam_frame *frame) {
    tam_unqueue(frame);
    send(frame->join, frame->codeblock, frame->s, frame->ret, frame->ret_inlet);
    tam_frame_end(frame);
}

/* Sends the oldest activation that can go elsewhere to a processor that has asked; returns false if there is
 * none.  At least `kept' ready activations stay here. */
static bool give_work(unsigned kept) {
    if (hungry_count == 0 || tam.ready <= kept)
        return false;
    struct tam_frame *frame = tam.tail;
    for (int looked = 0; frame && !(movable(frame) && old(frame)); looked++)
        frame = looked < EXPOSED ? frame->previous : NULL;
    /* All others wait for the one that runs next; elsewhere it would only compute later. */
    if (!frame || (kept > 0 && frame == tam.head))
        return false;
    give(frame);
    return true;
}

/* Returns whether C functions shall end; called at a poll, while they compute. */
bool tam_must_split(void) {
    tam_registers.slices += tam.order ? tam_random() % 64
                                      : 1; /* in tests halves of short loops are given away */
    if (pause_left > 0 && --pause_left == 0)
        tam_registers.wanted = hungry_count > 0;
    if (hungry_count == 0 || !tam.shares || serving || !tam_registers.forked)
        return false;
    tam_registers.forked = 0;
    if (until_next > 0) {
        until_next--;
        return false;
    }
    return !give_work(0);
}

/* Runs the threads of a frame, which begin activations, and gives one of these away if it can.  If the frame
 * calls functions that fork, these are given, and the values that they wait for are computed here first: a
 * list that is read while another processor makes it would be waited for at each of its cells, and so would
 * all that is made from it. */
static bool expose_frame(struct tam_frame *frame) {
    bool forks = frame->codeblock->shares & TAM_FORKS, given = false;
    frame->outstanding++; /* so that the frame stays */
    for (int round = 0; round < ROUNDS && !given; round++) {
        tam.exposing = forks ? TAM_FORKS_ONLY : TAM_ALL;
        tam_run_quantum(frame);
        tam.exposing = TAM_NOTHING;
        uint32_t now = tam.quanta;
        given = give_work(0);
        if (!forks || given)
            break;
        while (tam.tail && tam.tail != frame && tam.tail->since == now && !tam.tail->begun &&
               !tam.tail->spare)
            tam_run_quantum(tam.tail);
        if (frame->state != TAM_READY)
            break;
    }
    frame->outstanding--;
    tam_end_if_empty(frame);
    return given;
}

/* Exposes the frames that C functions have left, from the outermost on, until an activation is given away. */
static bool expose(void) {
    bool given = false;
    struct tam_frame *frame = tam.tail;
    serving = true;
    for (int n = 0; n < EXPOSED && frame && !given; n++) {
        struct tam_frame *previous = frame->previous;
        if (!frame->begun && frame->codeblock->shares & TAM_CALLS)
            given = expose_frame(frame);
        frame = previous;
    }
    serving = false;
    return given;
}

/* Gives work to processors that have asked; called between quanta. */
void tam_serve_hungry(void) {
    bool tried = tam.split;
    tam.split = false;
    if (hungry_count == 0)
        return;
    if ((until_next == 0 && give_work(1)) || (tried && expose()))
        wait = until_next = 0;
    else if (tried) {
        wait = wait ? 2 * wait : 1;
        until_next = wait = wait < LONGEST_WAIT ? wait : LONGEST_WAIT;
    }
}

void tam_share_register(void) {
    unsigned found = 0;
    for (unsigned n = 0; n < tam.program->count; n++)
        found |= tam.program->codeblocks[n]->shares;
    tam_registers.forked = 1;
    tam.shares = !(found & TAM_PASSES) && (found & TAM_CALLS);
    tam.direct = found != 0;
    h_hungry = mer_am_register(on_hungry);
    hungry = malloc((size_t)tam.processors * sizeof *hungry);
    givers = malloc((size_t)tam.processors * sizeof *givers);
    went = calloc((size_t)tam.processors, sizeof *went);
    came = calloc((size_t)tam.processors, sizeof *came);
    for (int p = 0; went && came && p < tam.processors; p++)
        went[p] = came[p] = mer_wrap_start;
    if (!hungry || !givers || !went || !came)
        tam_fail(0, "there is no memory left");
}
