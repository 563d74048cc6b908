/* Scheduling: posts, the ready queue, quanta.
 *
 * A post enables a thread of a frame that is idle, ready or running (table 6-3): it pushes the thread onto
 * the frame's remote continuation vector, and an idle frame goes to the head of the ready queue.  The head
 * runs next, so that an unfolding program goes down before it goes wide; other processors take new
 * activations from the tail, which are the oldest and so the largest.  A loop that yields while thousands are
 * ready goes to the tail, so that it does not unfold without bound.
 */
#include "tam/count.h"
#include "tam/machine.h"

#include <unistd.h>

struct tam_machine tam;
struct tam_registers tam_registers __attribute__((aligned(64)));

unsigned tam_random(void) {
    tam.order ^= tam.order << 13;
    tam.order ^= tam.order >> 7;
    tam.order ^= tam.order << 17;
    return (unsigned)(tam.order >> 33);
}

/* In a random order, makes some polls last until many more messages have come, one after another, as if the
 * system let the processor run only for a moment after each. */
void tam_dally(void) {
    static unsigned left;
    if (!tam.order)
        return;
    if (left == 0 && tam_random() % 64 == 0)
        left = 64;
    if (left == 0)
        return;
    left--;
    usleep(100 + tam_random() % 100);
}

static void make_ready_last(struct tam_frame *frame) {
    frame->next = NULL;
    frame->previous = tam.tail;
    tam.tail->next = frame;
    tam.tail = frame;
}

/* Activations that C functions leave when they end before their time run in the functions' order, the
 * innermost first: the outer ones may need its results. */
static void make_ready_behind(struct tam_frame *frame, struct tam_frame *other) {
    frame->previous = other;
    frame->next = other->next;
    if (other->next)
        other->next->previous = frame;
    else
        tam.tail = frame;
    other->next = frame;
}

__attribute__((noinline)) static void make_ready(struct tam_frame *frame) {
    frame->state = TAM_READY;
    frame->since = tam.quanta;
    tam.ready++;
    frame->spare = tam.exposing == TAM_ALL ||
                   (tam.exposing == TAM_FORKS_ONLY && (frame->codeblock->shares & TAM_FORKS));
    if (tam.exposing && tam.tail) {
        make_ready_last(frame);
        return;
    }
    if (tam.order && tam.tail && tam_random() % 2) {
        make_ready_last(frame);
        return;
    }
    bool ordered = tam.ending || (tam_registers.spread && !tam.place);
    if (ordered && tam.unwound) {
        make_ready_behind(frame, tam.unwound);
        tam.unwound = frame;
        return;
    }
    if (ordered)
        tam.unwound = frame;
    frame->previous = NULL;
    frame->next = tam.head;
    if (tam.head)
        tam.head->previous = frame;
    else
        tam.tail = frame;
    tam.head = frame;
}

/* ---- posts --------------------------------------------------------------------------------------------- */

/* Pushes the targets of an arrival that wait for nothing else. */
static inline void push_targets(struct tam_frame *frame, const struct tam_codeblock *codeblock,
                                const struct tam_inlet *inlet) {
    /* The last is pushed first, so that threads run in the order of the program. */
    const struct tam_target *first = codeblock->targets + inlet->first, *target = first + inlet->count;
    unsigned top = frame->top;
    while (target-- != first)
        if (target->counter == TAM_NONE || --frame->c[target->counter] == 0)
            frame->rcv[top++] = target->thread;
    frame->top = (uint16_t)top;
}

/* Posts the targets of an arrival, on a frame of this processor in any state. */
void tam_post(struct tam_frame *frame, const struct tam_inlet *inlet) {
    if (__builtin_expect(tam_counting, 0))
        tam_count_post(frame, inlet);
    push_targets(frame, frame->codeblock, inlet);
    if (frame->state == TAM_IDLE && frame->top > 0)
        make_ready(frame);
}

/* Takes a value that arrives at an inlet.  Includes the work of tam_post, since most posts are of this kind.
 */
static inline void arrive(struct tam_frame *frame, unsigned number, tam_word value) {
    const struct tam_codeblock *codeblock = frame->codeblock;
    const struct tam_inlet *inlet = &codeblock->inlets[number];
    if (inlet->slot != TAM_NONE)
        frame->s[inlet->slot] = value;
    frame->outstanding--;
    push_targets(frame, codeblock, inlet);
    if (__builtin_expect(frame->state != TAM_IDLE, 1))
        return;
    if (frame->top > 0)
        make_ready(frame);
    else if (frame->outstanding == 0)
        tam_frame_end(frame);
}

/* Does `arrive' and counts for a profile.  A function of its own, so that the path without a profile saves no
 * registers. */
__attribute__((noinline, cold)) static void arrive_counted(struct tam_frame *frame, unsigned number,
                                                           tam_word value) {
    tam_registers.counts[TAM_N_RECEIVE]++;
    tam_count_post(frame, &frame->codeblock->inlets[number]);
    arrive(frame, number, value);
}

void tam_arrive(struct tam_frame *frame, unsigned number, tam_word value) {
    if (__builtin_expect(tam_counting, 0))
        arrive_counted(frame, number, value);
    else
        arrive(frame, number, value);
}

void tam_send(tam_word word, unsigned inlet, tam_word value) {
    struct tam_frame *frame = (struct tam_frame *)(uintptr_t)(word & MER_ADDR_MASK);
    if (__builtin_expect(!frame, 0))
        return;
    if (!tam_is_here(word))
        tam_send_value(word, inlet, value);
    else if (__builtin_expect(tam_counting, 0)) {
        tam_registers.counts[TAM_N_VALUE_LOCAL]++;
        arrive_counted(frame, inlet, value);
    } else
        arrive(frame, inlet, value);
}

unsigned tam_take(struct tam_frame *frame, uint16_t *lcv) {
    unsigned n = frame->top;
    memcpy(lcv, frame->rcv, n * sizeof *lcv);
    frame->top = 0;
    return n;
}

/* The frame's quantum ends; the scheduler finds the frame enabled and makes it ready. */
void tam_yield(struct tam_frame *frame) {
    const struct tam_inlet *entry = &frame->codeblock->entry;
    const struct tam_target *target = frame->codeblock->targets + entry->first;
    for (unsigned n = entry->count; n > 0; n--, target++)
        frame->rcv[frame->top++] = target->thread;
}

/* ---- work that handlers leave -------------------------------------------------------------------------- */

#define ITEMS 256 /* by which the pool grows, so that few handlers allocate */
static struct tam_item *spare;

static void more_items(void) {
    struct tam_item *more = tam_allocate(ITEMS * sizeof *more, 0);
    for (unsigned n = 0; n < ITEMS; n++) {
        more[n].next = spare;
        spare = &more[n];
    }
}

struct tam_item *tam_leave(void (*run)(struct tam_item *item)) {
    if (!spare)
        more_items();
    struct tam_item *item = spare;
    spare = item->next;
    item->next = NULL;
    item->run = run;
    item->beside = NULL;
    item->beside_count = 0;
    if (tam.last)
        tam.last->next = item;
    else
        tam.first = item;
    tam.last = item;
    return item;
}

/* Runs items in the order in which they were left; they may leave more. */
void tam_run_items(void) {
    struct tam_item *item;
    while ((item = tam.first)) {
        tam.first = item->next;
        if (!tam.first)
            tam.last = NULL;
        tam.running = item;
        item->run(item);
        tam.running = NULL;
        item->next = spare;
        spare = item;
    }
}

/* ---- quanta -------------------------------------------------------------------------------------------- */

#define MANY_READY 4096 /* ready frames; beyond, a loop that yields waits for them */

void tam_unqueue(struct tam_frame *frame) {
    if (frame->previous)
        frame->previous->next = frame->next;
    else
        tam.head = frame->next;
    if (frame->next)
        frame->next->previous = frame->previous;
    else
        tam.tail = frame->previous;
    tam.ready--;
}

void tam_run_quantum(struct tam_frame *frame) {
    tam_unqueue(frame);
    frame->state = TAM_RUNNING;
    frame->begun = 1;
    tam.quanta++;
    tam_new_slice();
    if (__builtin_expect(tam_counting, 0)) {
        struct tam_quantum_start start = tam_count_quantum();
        frame->codeblock->run(frame);
        tam_count_quantum_end(frame->codeblock, start);
    } else
        frame->codeblock->run(frame);
    frame->state = TAM_IDLE;
    if (frame->top > 0 && tam.ready > MANY_READY) {
        /* A loop has begun so many activations that these go first: unfolding has a bound, and no ready
         * activation waits for the loop. */
        frame->state = TAM_READY;
        frame->since = tam.quanta;
        tam.ready++;
        make_ready_last(frame);
    } else if (frame->top > 0)
        make_ready(frame);
    else if (frame->outstanding == 0)
        tam_frame_end(frame);
    tam.ending = false;
    tam_registers.spread = tam.place;
    tam.unwound = NULL;
}

#define POLL_EVERY 8 /* quanta from poll to poll */

void tam_schedule(void) {
    tam.busy = true;
    unsigned quanta = 0;
    while (!tam.halted) {
        bool look = quanta++ % POLL_EVERY == 0;
        if (tam.processors > 1 && (look || (tam.order && tam_random() % 2))) {
            TAM_NOTE(POLLS);
            mer_am_poll();
        }
        if (look)
            tam_show_output();
        if (tam.order && tam_random() % 256 == 0)
            usleep(tam_random() % 200);
        tam_may_collect();
        if (tam.first)
            tam_run_items();
        if (tam.head) {
            if (tam.processors > 1)
                tam_serve_hungry();
            if (tam.head)
                tam_run_quantum(tam.head);
        } else if (tam.processors == 1 || (mer_am_poll() == 0 && !tam.first && !tam.head))
            tam_wait_or_finish();
    }
}
