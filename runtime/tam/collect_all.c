/* A collection of all processors together, which also collects objects that other processors knew.
 *
 * A collection of one processor (collect.c) keeps all objects that another may know, the pinned ones.  When
 * these are more than MORE times as many bytes as the last collection of all has left, all mark together:
 *
 *   stop    Processor 0 tells all to stop.  Each does so where it handles messages between two operations of
 *           the program.  Handlers still run, but the items that they leave do not.  When all have stopped
 *           and no counted message is under way (rounds.c), each word is on a stack, in a frame, in an
 *           object, or in an item that a handler has left.
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
 * The protocol.  Collections have numbers, which processor 0 gives; `collections' is the last one in which a
 * processor has taken part.  `part' says how far it has come in that one:
 *
 *   RUNS     It computes, or waits for something to do.
 *   STOPPED  It has entered the collection, and runs handlers alone until it is told to mark.
 *   MARKS    It marks.  `idle': it has gone on from all objects that others have told it of, and has sent all
 *            references that it has found.
 *   SWEPT    It has swept, and runs handlers alone until it is told to go on.
 *
 * Processor 0 tells step after step (`step'), and takes each only after all have answered that they have
 * come so far in this collection (rounds.c).  A processor whose `collections' is another number answers that
 * it is busy, whatever its part is: it may be in SWEPT of the last one, with the order to go on, the stop of
 * the next and questions about that all before it in one poll.
 *
 *   1. All enter each collection, in order.  To tell MARK of n, processor 0 has the answer of each with the
 *      number n.  So no stop is told before all have entered the last collection, nor overwritten in `step'
 *      before it is acted on.
 *   2. No stop is forgotten.  A processor clears tam_collect_due before it looks at `step', and then enters n
 *      or has nothing to enter.  The stop of n + 1 is told after all have swept in n, so after this processor
 *      has entered n: in every case it then finds tam_collect_due set and looks again.  A processor that
 *      waits for something to do is woken by the message (has_to_do in finish.c).
 *   3. When all have answered STOPPED in n, nobody computes until GO of n, since all that have entered n wait
 *      for it.
 *
 * (runtime/tests/model/tam_collect_rounds.pml)
 *
 * Where a collection may come (tam_may_collect).  In an allocation no handler may run: compiled loops fill
 * arrays of their own that no other processor knows without atomic operations, and a handler's answer may
 * make such an array known.  So an allocation that finds too many pinned objects only notes it.  The next
 * poll tells processor 0.  Outside of these places no processor waits for the actions of another there,
 * except for input and for C functions: a collection waits for these, and if they are on processor 0 it
 * begins after them.
 *
 * Which words refer to another processor's objects.  The top bits of a word name its processor; those of
 * processor 0 look like addresses.  Addresses of elements of the host's processors, which loops have, refer
 * too.  Each processor knows the ranges of addresses of all others' objects, so that few numbers are taken
 * for references, and these keep an object for longer than need be. */
#include "host/job.h"
#include "sync/barrier.h"
#include "tam/count.h"
#include "tam/storage.h"

#include <stdlib.h>

#define LEAST ((size_t)8 << 20) /* bytes of pinned objects from which on a collection is worth while */
#define MORE 2
#define BATCH 512   /* words of a message */
#define RECENT 4096 /* words that are remembered as sent */
#define SELDOM 8    /* in the tests, one in so many collections of one processor asks for one of all */

/* A processor's part in the collection, in this order. */
enum part { RUNS, STOPPED, MARKS, SWEPT };
static enum part part;
static bool fresh; /* others have told of objects since this processor looked */
static bool idle;  /* MARKS: no objects are left that it could go on from, and all references are sent */
/* The last step that processor 0 has told: collection n has begun (4 n), may mark (4 n + 1), sweep, go on. */
enum { STOP, MARK, SWEEP, GO, STEPS };
static volatile uint64_t step;
static uint64_t collections; /* the number of the last collection that this processor has entered */
static uint64_t sent, received;
static bool wanted, asked;
static size_t limit = LEAST;
bool tam_collect_due;
static int h_want, h_step, h_objects;

/* ---- words of others ----------------------------------------------------------------------------------- */

struct range {
    uint64_t begin, end;
};
static struct range *ranges; /* by processor */
static struct range all;     /* from the first to the last of the ranges that addresses may lie in */
static struct batch {
    unsigned count;
    tam_word words[BATCH];
} * *batches; /* by processor; null if nothing was sent yet */
static tam_word recent[RECENT];

/* A collective call: all learn where the others' objects lie. */
void tam_collect_exchange(const char *what) {
    mer_barrier_exchange(what, tam_storage.base | (unsigned)__builtin_ctz(tam_storage.reserved));
    ranges = malloc((size_t)tam.processors * sizeof *ranges);
    batches = calloc((size_t)tam.processors, sizeof *batches);
    if (!ranges || !batches)
        tam_fail(0, "there is no memory left");
    all = (struct range){UINT64_MAX, 0};
    for (int p = 0; p < tam.processors; p++) {
        uint64_t word = mer_barrier_payload(p), begin = word & ~(uint64_t)(TAM_BLOCK - 1);
        ranges[p] = (struct range){begin, begin + (TAM_BLOCK << (word - begin))};
        bool here = p >= mer_job.here_first && p < mer_job.here_first + mer_job.here;
        if (p == tam.me || (p != 0 && !here))
            continue;
        all.begin = ranges[p].begin < all.begin ? ranges[p].begin : all.begin;
        all.end = ranges[p].end > all.end ? ranges[p].end : all.end;
    }
}

static bool within(const struct range *range, uint64_t address) {
    return address >= range->begin && address < range->end;
}

static void send(int to) {
    struct batch *batch = batches[to];
    if (!batch || batch->count == 0)
        return;
    sent++;
    mer_am_request_medium(to, h_objects, batch->words, batch->count * sizeof(tam_word), NULL, 0);
    batch->count = 0;
}

static void tell(int to, uint64_t address) {
    address &= ~(uint64_t)(TAM_GRAIN - 1);
    tam_word key = (tam_word)to << 48 | address;
    tam_word *last = &recent[(key / TAM_GRAIN ^ key >> 20) % RECENT];
    if (*last == key)
        return;
    *last = key;
    if (!batches[to] && !(batches[to] = calloc(1, sizeof *batches[to])))
        tam_fail(0, "memory is exhausted on processor %d", tam.me);
    batches[to]->words[batches[to]->count++] = address;
    if (batches[to]->count == BATCH)
        send(to);
}

void tam_tell_owner(tam_word word) {
    uint64_t address = word & MER_ADDR_MASK;
    int owner = (int)(word >> 48);
    if (owner != 0) {
        if (owner < tam.processors && owner != tam.me && within(&ranges[owner], address))
            tell(owner, address);
        return;
    }
    if (!within(&all, address))
        return;
    if (tam.me != 0 && within(&ranges[0], address))
        tell(0, address);
    for (int p = mer_job.here_first; p < mer_job.here_first + mer_job.here; p++)
        if (p != tam.me && p != 0 && within(&ranges[p], address))
            tell(p, address);
}

/* Notes objects of this processor that others have.  The processor goes on from them after its current work.
 */
static void on_objects(struct mer_am_message *m) {
    const tam_word *words = m->payload;
    received++;
    for (size_t n = 0; n < m->length / sizeof *words; n++) {
        struct tam_place place;
        if (!tam_find(words[n], &place) || tam_bit(tam_storage.told, place.bit))
            continue;
        tam_set_bit(tam_storage.told, place.bit);
        place.block->told = TAM_TOLD_NEW;
        fresh = true;
        idle = false;
    }
}

/* ---- the steps ----------------------------------------------------------------------------------------- */

/* Marks the objects that this processor's roots reach; returns their bytes. */
static size_t mark(void) {
    memset(recent, 0, sizeof recent);
    idle = false;
    part = MARKS;
    return tam_mark_own();
}

/* Goes on from the objects that others have told of; returns the bytes that are live so far. */
static size_t go_on(void) {
    size_t live;
    idle = false;
    do {
        fresh = false;
        live = tam_mark_told();
        for (int p = 0; p < tam.processors; p++)
            send(p);
    } while (fresh);
    idle = true;
    return live;
}

/* Pins the objects that others have told of and no others, and frees the objects that are not marked. */
static void sweep(size_t own, size_t live) {
    const size_t bytes = TAM_BLOCK_WORDS * sizeof(uint64_t);
    for (uint32_t n = 0; n < tam_storage.used; n++) {
        struct tam_block *block = &tam_storage.blocks[n];
        uint64_t *pins = tam_storage.pins + (size_t)n * TAM_BLOCK_WORDS;
        uint64_t *said = tam_storage.told + (size_t)n * TAM_BLOCK_WORDS;
        if (!block->pinned && !block->told)
            continue;
        memcpy(pins, said, bytes);
        memset(said, 0, bytes);
        block->pinned = block->told != TAM_TOLD_NONE;
        block->told = TAM_TOLD_NONE;
    }
    tam_sweep(live);
    limit = MORE * (live - own) > LEAST ? MORE * (live - own) : LEAST;
    part = SWEPT;
}

static void tell_all(int next) {
    for (int p = 1; p < tam.processors; p++)
        MER_AM_REQUEST(p, h_step, collections * STEPS + (unsigned)next);
}

/* Leads a collection, on processor 0. */
static void lead(void) {
    struct tam_counts counts;
    tell_all(STOP);
    while (!tam_quiet(TAM_ROUND_STOPPED, collections, &counts))
        mer_am_poll();
    tell_all(MARK);
    size_t own = mark(), live;
    do
        live = go_on();
    while (!tam_quiet(TAM_ROUND_MARKED, collections, &counts));
    tell_all(SWEEP);
    sweep(own, live);
    while (tam_ask_all(TAM_ROUND_SWEPT, collections).busy)
        mer_am_poll();
    tell_all(GO);
}

/* Takes part in a collection, on all other processors. */
static void follow(void) {
    uint64_t base = collections * STEPS;
    MER_AM_WAIT_UNTIL(step >= base + MARK);
    size_t own = mark(), live = own;
    while (step < base + SWEEP) {
        live = go_on();
        MER_AM_WAIT_UNTIL(fresh || step >= base + SWEEP);
    }
    sweep(own, live);
    MER_AM_WAIT_UNTIL(step >= base + GO);
}

/* Not inlined, so that the caller's words are on the stack above its frame. */
__attribute__((noinline)) void tam_collect_with_all(void) {
    tam_collect_due = false;
    if (tam.me != 0 && wanted && !asked) {
        asked = true;
        MER_AM_REQUEST(0, h_want, 0);
    }
    bool begins = tam.me == 0 ? wanted : step / STEPS > collections;
    wanted = false;
    if (!begins)
        return;
    TAM_NOTE(COLLECTIONS_OF_ALL);
    __builtin_unwind_init();
    collections++;
    part = STOPPED;
    if (tam.me == 0)
        lead();
    else
        follow();
    part = RUNS;
    asked = false;
    __asm__ volatile("" ::: "memory"); /* so that this is no tail call, and its frame stays */
}

/* Returns the answer to processor 0, which asks whether all have come so far in this collection. */
struct tam_counts tam_collect_counts(enum tam_round round, uint64_t collection) {
    struct tam_counts counts = {0};
    bool elsewhere = collections != collection;
    if (round == TAM_ROUND_STOPPED) {
        counts.sent = tam.sent;
        counts.received = tam.received;
        counts.busy = elsewhere || part < STOPPED;
    } else if (round == TAM_ROUND_MARKED) {
        counts.sent = sent;
        counts.received = received;
        counts.busy = elsewhere || part < MARKS || !idle;
    } else
        counts.busy = elsewhere || part < SWEPT;
    return counts;
}

/* ---- when ---------------------------------------------------------------------------------------------- */

void tam_note_pinned(size_t bytes) {
    bool random = tam.order && tam_random() % SELDOM == 0;
    if (tam.processors > 1 && (bytes > limit || random))
        wanted = tam_collect_due = true;
}

static void on_want(struct mer_am_message *m) {
    (void)m;
    wanted = tam_collect_due = true;
}

static void on_step(struct mer_am_message *m) {
    step = m->args[0];
    if (step % STEPS == STOP)
        tam_collect_due = true;
    tam_dally();
}

void tam_collect_register(void) {
    h_want = mer_am_register(on_want);
    h_step = mer_am_register(on_step);
    h_objects = mer_am_register(on_objects);
}
