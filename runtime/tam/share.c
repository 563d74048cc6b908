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
#include "tam/share.h"

#include "base/clock.h"
#include "tam/activation.h"
#include "tam/collection.h"
#include "tam/count.h"
#include "tam/item.h"
#include "tam/order.h"
#include "tam/quantum.h"
#include "tam/queue.h"
#include "tam/send.h"

#include <sched.h>
#include <stdlib.h>

#define OLD 128              /* quanta for which a frame must have been ready to go elsewhere */
#define ASK 4                /* processors that are asked besides number 0 */
#define EXPOSED 16           /* frames that are looked at, from the oldest on */
#define ROUNDS 4             /* in which a frame's threads run, each with the values requested in the last */
#define LONGEST_WAIT 512     /* polls until the next try to make work for others */
#define IN_VAIN 200          /* polls for which a loop waits for a half that waits itself */
#define NOT_FIRST 2000       /* polls for which it waits while something else could run here */
#define WAITS_TOO 65536      /* polls after which it tells the processors that wait for it */
#define LONGEST_PAUSE 262144 /* slices for which no loop is shared */
#define MOST_DEBT 20000000   /* ns of waiting that halves must pay for at most */

/* Takes a request for work.  One that has crossed with an activation is out of date: the processor has
 * something to do now, and asks again when it has not.  If a loop believed that the processor to which it has
 * given a half were without work, it would not wait for that half. */
static void on_hungry(struct mer_am_message *m) {
    if ((uint32_t)m->args[0] != tam.messages.went[m->source])
        return;
    for (int i = 0; i < tam.share.hungry_count; i++)
        if (tam.share.hungry[i] == m->source)
            return;
    tam.share.hungry[tam.share.hungry_count++] = m->source;
    tam_registers.wanted = tam.share.pause_left == 0;
}

/* Tells the processors that have given work to this one that it is not computed now (tam_await_half). */
static void tell_givers(void) {
    for (int i = 0; i < tam.share.giver_count; i++)
        MER_AM_REQUEST(tam.share.givers[i], tam.share.h_hungry, tam.messages.came[tam.share.givers[i]]);
}

void tam_share_ask(void) {
    unsigned n = tam.processors - 1 < ASK ? (unsigned)tam.processors - 1 : ASK;
    TAM_NOTE(ASKED);
    for (unsigned i = 0; i < n; i++) {
        int to = (int)((unsigned)tam.me + 1 + (tam.share.next_asked + i) % ((unsigned)tam.processors - 1)) %
                 tam.processors;
        MER_AM_REQUEST(to, tam.share.h_hungry, tam.messages.came[to]);
    }
    tam.share.next_asked += n;
    if (tam.me != 0 && n == ASK)
        MER_AM_REQUEST(0, tam.share.h_hungry, tam.messages.came[0]);
    tell_givers();
}

/* Remembers a processor that has given work to this one. */
void tam_share_note_giver(int processor) {
    for (int i = 0; i < tam.share.giver_count; i++)
        if (tam.share.givers[i] == processor)
            return;
    tam.share.givers[tam.share.giver_count++] = processor;
}

/* Sends an activation to the processor that asked last, and returns its number. */
static int send(struct tam_join *join, const struct tam_codeblock *codeblock, const tam_word *args,
                tam_word ret, unsigned inlet) {
    int to = tam.share.hungry[--tam.share.hungry_count];
    tam_registers.wanted = tam.share.hungry_count > 0 && tam.share.pause_left == 0;
    TAM_NOTE(GIVEN);
    tam_send_invoke(to, join, codeblock, args, ret, inlet);
    return to;
}

/* ---- halves of loops ----------------------------------------------------------------------------------- */

static bool is_hungry(int processor) {
    for (int i = 0; i < tam.share.hungry_count; i++)
        if (tam.share.hungry[i] == processor)
            return true;
    return false;
}

int tam_give_half(struct tam_join *join, const struct tam_codeblock *codeblock, const tam_word *args) {
    struct tam_join *given = tam_join_new(NULL, 0);
    given->given = 1;
    given->parent = join;
    if (join)
        join->count++;
    tam.share.last.ns = mer_clock_ns();
    tam.share.last.slices = tam_registers.slices;
    tam.share.last.before = tam_registers.given++;
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
    if (tam.share.last.before != before)
        return;
    int64_t own = (int64_t)(from - tam.share.last.ns), waited = (int64_t)(mer_clock_ns() - from);
    uint64_t slices = tam_registers.slices - tam.share.last.slices + 1;
    tam.share.debt += waited - own;
    if (tam.share.debt > MOST_DEBT)
        tam.share.debt = MOST_DEBT;
    if (tam.share.debt <= 0) {
        tam.share.debt = 0;
        tam.share.pause = 0;
    }
    if (waited > own) {
        uint64_t as_long = own > 0 ? slices * (uint64_t)waited / (uint64_t)own : slices;
        uint64_t longer = 2 * tam.share.pause > as_long ? 2 * tam.share.pause : as_long;
        tam.share.pause = longer < LONGEST_PAUSE ? longer : LONGEST_PAUSE;
        tam.share.pause_left = tam.order.state ? 0 : tam.share.pause; /* in tests everything is shared */
    }
    tam_registers.wanted = tam.share.hungry_count > 0 && tam.share.pause_left == 0;
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
        tam_collection_poll();
        if (tam.items.first)
            tam_items_run();
        if (tam.queue.head && polls > NOT_FIRST)
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
    return (frame->spare || !tam.share.direct) && !frame->begun && codeblock->late == 0 && !codeblock->io &&
           frame->outstanding == 0 && codeblock->number < tam.program->count &&
           tam.program->codeblocks[codeblock->number] == codeblock;
}

/* In other programs, an activation that has been ready for a short time only runs here: a loop or a recursion
 * that has one activation at a time would else wander from processor to processor.  OLD quanta are about
 * as long as it takes to send an activation. */
static bool old(const struct tam_frame *frame) {
    return frame->spare || tam.quanta.count - frame->since >= OLD;
}

static void give(struct tam_frame *frame) {
    tam_queue_remove(frame);
    send(frame->join, frame->codeblock, frame->s, frame->ret, frame->ret_inlet);
    tam_activation_end(frame);
}

/* Sends the oldest activation that can go elsewhere to a processor that has asked; returns false if there is
 * none.  At least `kept' ready activations stay here. */
static bool give_work(unsigned kept) {
    if (tam.share.hungry_count == 0 || tam.queue.ready <= kept)
        return false;
    struct tam_frame *frame = tam.queue.tail;
    for (int looked = 0; frame && !(movable(frame) && old(frame)); looked++)
        frame = looked < EXPOSED ? frame->previous : NULL;
    /* All others wait for the one that runs next; elsewhere it would only compute later. */
    if (!frame || (kept > 0 && frame == tam.queue.head))
        return false;
    give(frame);
    return true;
}

/* Returns whether C functions shall end; called at a poll, while they compute. */
bool tam_share_must_split(void) {
    /* In tests halves of short loops are given away. */
    tam_registers.slices += tam.order.state ? tam_order_random() % 64 : 1;
    if (tam.share.pause_left > 0 && --tam.share.pause_left == 0)
        tam_registers.wanted = tam.share.hungry_count > 0;
    if (tam.share.hungry_count == 0 || !tam.share.splits || tam.share.serving || !tam_registers.forked)
        return false;
    tam_registers.forked = 0;
    if (tam.share.until_next > 0) {
        tam.share.until_next--;
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
        tam.queue.exposing = forks ? TAM_FORKS_ONLY : TAM_ALL;
        tam_quantum_run(frame);
        tam.queue.exposing = TAM_NOTHING;
        uint32_t now = tam.quanta.count;
        given = give_work(0);
        if (!forks || given)
            break;
        while (tam.queue.tail && tam.queue.tail != frame && tam.queue.tail->since == now &&
               !tam.queue.tail->begun && !tam.queue.tail->spare)
            tam_quantum_run(tam.queue.tail);
        if (frame->state != TAM_READY)
            break;
    }
    frame->outstanding--;
    tam_activation_end_if_empty(frame);
    return given;
}

/* Exposes the frames that C functions have left, from the outermost on, until an activation is given away. */
static bool expose(void) {
    bool given = false;
    struct tam_frame *frame = tam.queue.tail;
    tam.share.serving = true;
    for (int n = 0; n < EXPOSED && frame && !given; n++) {
        struct tam_frame *previous = frame->previous;
        if (!frame->begun && frame->codeblock->shares & TAM_CALLS)
            given = expose_frame(frame);
        frame = previous;
    }
    tam.share.serving = false;
    return given;
}

/* Gives work to processors that have asked; called between quanta. */
void tam_share_serve(void) {
    bool tried = tam.quanta.split;
    tam.quanta.split = false;
    if (tam.share.hungry_count == 0)
        return;
    if ((tam.share.until_next == 0 && give_work(1)) || (tried && expose()))
        tam.share.wait = tam.share.until_next = 0;
    else if (tried) {
        tam.share.wait = tam.share.wait ? 2 * tam.share.wait : 1;
        tam.share.until_next = tam.share.wait = tam.share.wait < LONGEST_WAIT ? tam.share.wait : LONGEST_WAIT;
    }
}

void tam_share_register(void) {
    unsigned found = 0;
    for (unsigned n = 0; n < tam.program->count; n++)
        found |= tam.program->codeblocks[n]->shares;
    tam_registers.forked = 1;
    tam.share.splits = !(found & TAM_PASSES) && (found & TAM_CALLS);
    tam.share.direct = found != 0;
    tam.share.h_hungry = mer_am_register(on_hungry);
    tam.share.hungry = malloc((size_t)tam.processors * sizeof *tam.share.hungry);
    tam.share.givers = malloc((size_t)tam.processors * sizeof *tam.share.givers);
    if (!tam.share.hungry || !tam.share.givers)
        tam_fail(0, "there is no memory left");
}
