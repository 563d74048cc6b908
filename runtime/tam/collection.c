/* A collection of all processors together, which also collects objects that other processors knew.
 *
 * A collection of one processor (collect.c) keeps all objects that another may know, the pinned ones.  When
 * these are more than twice as many bytes as the last collection of all has left, all mark together:
 *
 *   stop    Processor 0 tells all to stop.  Each does so where it handles messages between two operations of
 *           the program.  Handlers still run, but the items that they leave do not.  When all have stopped
 *           and no counted message is under way (wave.h), each word is on a stack, in a frame, in an object,
 *           or in an item that a handler has left.
 *   mark    Each processor marks the objects that these words reach; pins do not count any more.  A word that
 *           refers to an object of another processor is sent to that one, many in a message.  The handler
 *           notes the objects; the processor goes on from them.  When no processor has noted objects left and
 *           none of these messages is under way, all live objects are marked.
 *   sweep   The objects that another processor has told of are the pinned ones now.  Objects that are not
 *           marked are free.
 *   go      When all have swept, they go on.  Not sooner: a message of the program may pin an object, which
 *           the receiver's sweep would forget.
 *
 * Why no object is freed that a word leads to: runtime/tests/model/tam_collect.pml.
 *
 * The protocol.  Collections have numbers, which processor 0 gives; `number' is the last one in which a
 * processor has taken part.  `part' says how far it has come in that one:
 *
 *   RUNS     It computes, or waits for something to do.
 *   STOPPED  It has entered the collection, and runs handlers alone until it is told to mark.
 *   MARKS    It marks.
 *   MARKED   It has gone on from all objects that others have told it of, and has sent all references that it
 *            has found; until others tell it of more (tam.owners.fresh).
 *   SWEPT    It has swept, and runs handlers alone until it is told to go on.
 *
 * Processor 0 tells step after step (`step'), and takes each only after all have answered that they have
 * come so far in this collection (wave.h).  A processor whose `number' is another answers that it is busy,
 * whatever its part is: it may be in SWEPT of the last one, with the order to go on, the stop of the next and
 * questions about that all before it in one poll.
 *
 *   1. All enter each collection, in order.  To tell MARK of n, processor 0 has the answer of each with the
 *      number n.  So no stop is told before all have entered the last collection, nor overwritten in `step'
 *      before it is acted on.
 *   2. No stop is forgotten.  A processor clears `due' before it looks at `step', and then enters n or has
 *      nothing to enter.  The stop of n + 1 is told after all have swept in n, so after this processor has
 *      entered n: in every case it then finds `due' set and looks again.  A processor that waits for
 *      something to do is woken by the message (has_to_do in finish.c).
 *   3. When all have answered STOPPED in n, nobody computes until GO of n, since all that have entered n wait
 *      for it.
 *
 * (runtime/tests/model/tam_collect_rounds.pml)
 *
 * Where a collection may come (tam_collection_poll).  In an allocation no handler may run: compiled loops
 * fill arrays of their own that no other processor knows without atomic operations, and a handler's answer
 * may make such an array known.  So an allocation that finds too many pinned objects only notes it.  The next
 * poll tells processor 0.  Outside of these places no processor waits for the actions of another there,
 * except for input and for C functions: a collection waits for these, and if they are on processor 0 it
 * begins after them. */
#include "tam/collection.h"

#include "tam/collect.h"
#include "tam/count.h"
#include "tam/order.h"
#include "tam/owner.h"
#include "tam/storage.h"
#include "tam/wave.h"

/* A processor's part in the collection, in this order. */
enum part { RUNS, STOPPED, MARKS, MARKED, SWEPT };
/* The steps as processor 0 tells them: collection n has begun (4 n), may mark (4 n + 1), sweep, go on. */
enum { STOP, MARK, SWEEP, GO, STEPS };

/* ---- the steps ----------------------------------------------------------------------------------------- */

/* Marks the objects that this processor's roots reach; returns their bytes. */
static size_t mark(void) {
    tam_owners_forget();
    tam.collection.part = MARKS;
    return tam_collect_mark();
}

/* Goes on from the objects that others have told of; returns the bytes that are live so far. */
static size_t go_on(void) {
    size_t live;
    tam.collection.part = MARKS;
    do {
        tam.owners.fresh = false;
        live = tam_collect_mark_told();
        tam_owners_send();
    } while (tam.owners.fresh);
    tam.collection.part = MARKED;
    return live;
}

/* Pins the objects that others have told of and no others, and frees the objects that are not marked. */
static void sweep(size_t own, size_t live) {
    tam_storage_pin_told();
    tam_storage_sweep(live);
    tam_collect_limit(live - own);
    tam.collection.part = SWEPT;
}

static void tell_all(int next) {
    for (int p = 1; p < tam.processors; p++)
        MER_AM_REQUEST(p, tam.collection.h_step, tam.collection.number * STEPS + (unsigned)next);
}

/* Returns this processor's answer to the question whether all have come so far in this collection. */
static struct tam_counts answer(unsigned part, uint64_t collection) {
    struct tam_counts counts = {0};
    if (part == STOPPED) {
        counts.sent = tam.messages.sent;
        counts.received = tam.messages.received;
    } else if (part == MARKED) {
        counts.sent = tam.owners.sent;
        counts.received = tam.owners.received;
    }
    counts.busy = tam.collection.number != collection || tam.collection.part < part ||
                  (part == MARKED && tam.owners.fresh);
    return counts;
}

static void on_probe(struct mer_am_message *m) {
    tam_wave_reply(m, answer((unsigned)m->args[0], m->args[1]));
}

/* Leads a collection, on processor 0. */
static void lead(void) {
    struct tam_counts counts;
    struct tam_question question = {tam.collection.h_probe, answer, STOPPED, tam.collection.number};
    tell_all(STOP);
    while (!tam_wave_quiet(question, &counts))
        mer_am_poll();
    tell_all(MARK);
    question.state = MARKED;
    size_t own = mark(), live;
    do
        live = go_on();
    while (!tam_wave_quiet(question, &counts));
    tell_all(SWEEP);
    sweep(own, live);
    question.state = SWEPT;
    while (tam_wave_ask(question).busy)
        mer_am_poll();
    tell_all(GO);
}

/* Takes part in a collection, on all other processors. */
static void follow(void) {
    uint64_t base = tam.collection.number * STEPS;
    MER_AM_WAIT_UNTIL(tam.collection.step >= base + MARK);
    size_t own = mark(), live = own;
    while (tam.collection.step < base + SWEEP) {
        live = go_on();
        MER_AM_WAIT_UNTIL(tam.owners.fresh || tam.collection.step >= base + SWEEP);
    }
    sweep(own, live);
    MER_AM_WAIT_UNTIL(tam.collection.step >= base + GO);
}

/* Not inlined, so that the caller's words are on the stack above its frame. */
__attribute__((noinline)) void tam_collection_enter(void) {
    tam.collection.due = false;
    if (tam.me != 0 && tam.collection.wanted && !tam.collection.asked) {
        tam.collection.asked = true;
        MER_AM_REQUEST(0, tam.collection.h_want, 0);
    }
    bool begins = tam.me == 0 ? tam.collection.wanted : tam.collection.step / STEPS > tam.collection.number;
    tam.collection.wanted = false;
    if (!begins)
        return;
    TAM_NOTE(COLLECTIONS_OF_ALL);
    __builtin_unwind_init();
    tam.collection.number++;
    tam.collection.part = STOPPED;
    if (tam.me == 0)
        lead();
    else
        follow();
    tam.collection.part = RUNS;
    tam.collection.asked = false;
    __asm__ volatile("" ::: "memory"); /* so that this is no tail call, and its frame stays */
}

/* ---- when ---------------------------------------------------------------------------------------------- */

static void on_want(struct mer_am_message *m) {
    (void)m;
    tam.collection.wanted = tam.collection.due = true;
}

static void on_step(struct mer_am_message *m) {
    tam.collection.step = m->args[0];
    if (tam.collection.step % STEPS == STOP)
        tam.collection.due = true;
    tam_order_dally();
}

void tam_collection_register(void) {
    tam.collection.h_want = mer_am_register(on_want);
    tam.collection.h_step = mer_am_register(on_step);
    tam.collection.h_probe = mer_am_register(on_probe);
}
