/* The threaded abstract machine: the interface between compiled Id90 programs and runtime/tam.
 *
 * A program is code-blocks.  An activation of one has a frame on one processor, with slots for its values,
 * entry counts of its threads and the remote continuation vector.  Threads run to their end.  Values arrive
 * at inlets, which put them into slots and post the threads whose values have all arrived.  A quantum is the
 * run of threads of one frame before another frame's: these threads push others onto the local continuation
 * vector, which is an array of the code-block's C function.  (von Eicken's thesis, section 6.2.1.)
 *
 * Handlers of messages run only inside of calls of the runtime, so that threads and inlets never run at the
 * same time.
 *
 * A word is a number, a character, a constructor without fields, or a reference: the processor in the top 16
 * bits, the address of the object there, and in the low four bits the number of its constructor.  References
 * are above TAM_NO_REFERENCE; addresses have 48 bits and are aligned to 16.
 */
#ifndef MERIDIAN_TAM_H
#define MERIDIAN_TAM_H

#include <math.h>
#include <meridian/abi/abi.h>
#include <meridian/abi/tam_counts.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef mer_u64 tam_word;

#define TAM_NO_REFERENCE 0xffffULL
#define TAM_NONE 0xffff /* no slot, no counter, no inlet */

/* A thread that an arrival enables, and the entry count that the arrival decrements; TAM_NONE if the thread
 * waits for nothing else. */
struct tam_target {
    uint16_t thread, counter;
};

/* The slot for an arriving value, and the range of the code-block's targets that the arrival enables. */
struct tam_inlet {
    uint16_t slot, first, count;
};

struct tam_frame;
struct tam_join;

/* The value of a function's C function: its first result; or, if `waits' is not null, an activation that will
 * send all its results once tam_hand has told it where. */
struct tam_value {
    tam_word value;
    struct tam_frame *waits;
};

struct tam_codeblock {
    const char *name;
    uint32_t number; /* in tam_program.codeblocks */
    uint32_t site;
    uint16_t params;  /* they arrive in slots 0 ... params - 1 */
    uint16_t late;    /* number of these that arrive after the activation has begun */
    uint16_t results; /* words that it returns */
    uint16_t slots, counters, threads;
    uint8_t io;                     /* runs on processor 0 */
    uint8_t shares;                 /* of the bits TAM_RECURSION ... TAM_FORKS */
    const uint8_t *is_late;         /* by parameter */
    const uint16_t *counts;         /* the entry counts */
    const struct tam_inlet *inlets; /* those of the parameters first */
    const struct tam_target *targets;
    struct tam_inlet entry; /* the targets that the beginning enables */
    void (*run)(struct tam_frame *frame);
    /* The function as a C function of its arguments; null if there is none, or not one result. */
    struct tam_value (*direct)(struct tam_join *join, const tam_word *args);
};

enum {
#define TAM_SHARING_BIT(name, bit) TAM_##name = (bit),
    MER_SHARING(TAM_SHARING_BIT)
#undef TAM_SHARING_BIT
};

enum tam_state { TAM_IDLE, TAM_READY, TAM_RUNNING };

/* A counter of the frames and the stores under way that one call has begun, directly or indirectly. */
struct tam_join {
    uint32_t count;
    uint16_t inlet;
    uint8_t given; /* counts work given away; its parent is on this processor */
    int parent_processor;
    struct tam_join *parent; /* on that processor; or */
    struct tam_frame *frame; /* the frame to notify at `inlet' */
};

struct tam_frame {
    const struct tam_codeblock *codeblock;
    struct tam_frame *next, *previous; /* in the ready queue, or the free list */
    struct tam_join *join;             /* null: no join counts the activation */
    tam_word ret;                      /* the frame that gets the results; 0: none */
    uint32_t outstanding;              /* values that will arrive */
    uint16_t ret_inlet;
    uint16_t top;                      /* of the remote continuation vector */
    uint8_t state, begun, live, spare; /* spare: created to be given away */
    uint8_t direct;                    /* has not begun: the C function may compute it */
    uint32_t since;                    /* the quantum in which it became ready */
    uint16_t *c;                       /* entry counts */
    uint16_t *rcv;                     /* the remote continuation vector */
    tam_word s[];
};

/* TAM_WRITING: a processor of the owner's host has claimed the element, and fills it, or releases it, without
 * waiting for anything. */
enum tam_tag { TAM_EMPTY, TAM_FULL, TAM_DEFERRED, TAM_DELAYED, TAM_WRITING };
enum tam_mode { TAM_I, TAM_TAKE, TAM_EXAMINE, TAM_BOUND };

/* The lower bound of the array whose elements the passes of a bounded loop take. */
#define TAM_SLOTS (-((int64_t)1 << MER_SLOTS_SHIFT))

/* A cell (dims 0), a closure (its code-block's number in `closure') or an array.  An element has a byte of
 * state: those of the first fields of a cell or a closure lie in the header, all others after the
 * elements. */
#define TAM_HEADER_STATES 4
#define TAM_MUTABLE 1
#define TAM_SHARED 2  /* its owner has sent a reference to another processor */
#define TAM_NUMBERS 4 /* an array whose elements are never references: the collector does not read it */
struct tam_object {
    uint32_t size; /* elements */
    uint8_t dims;
    uint8_t kind;     /* of the bits TAM_MUTABLE, TAM_SHARED and TAM_NUMBERS */
    uint16_t closure; /* 1 + the code-block, or 0 */
    uint32_t site;
    uint8_t states[TAM_HEADER_STATES];
    tam_word v[]; /* arrays: 2 * dims bounds; then the elements; then the states */
};

struct tam_site {
    const char *file;
    unsigned line;
};

struct tam_text {
    const char *bytes;
    unsigned length;
};

struct tam_program {
    const struct tam_codeblock *const *codeblocks;
    unsigned count;
    const struct tam_codeblock *main;
    const struct tam_site *sites;
    const struct tam_text *texts;
};

/* Objects of up to TAM_SMALL bytes come from runs of free memory, by their size in units of 16 bytes. */
#define TAM_SMALL 512
#define TAM_BINS 57
struct tam_run {
    char *next, *end;
};

/* The registers of the machine: the part of a processor's state that compiled code reads and writes in line.
 * All other state is the runtime's (runtime/tam/machine.h). */
struct tam_registers {
    tam_word here; /* this processor, as the top bits of a word have it */
    /* The processors of this host, in the same form: the first, and their number. */
    tam_word local_first, local_count;
    int64_t fuel;        /* calls and iterations until the scheduler has to run */
    uintptr_t stack_end; /* the lowest address for the C stack */
    int spread;          /* if not 0, calls begin activations, which other processors can take */
    int wanted;          /* not 0 if another processor has asked for work */
    int forked;          /* not 0 if a function that forks has been called since the last search for work */
    unsigned given;      /* the number of pieces of work given away that have not ended */
    uint64_t slices;     /* how often the fuel has been used up */
    uint32_t external_site; /* of the call of the C function that runs (meridian/id.h) */
    struct tam_run runs[TAM_BINS];
    unsigned long long counts[TAM_COUNTER_COUNT]; /* by enum tam_counter */
};
extern struct tam_registers tam_registers;

/* Runs the program on all processors of the job; every process calls it.  Returns the exit status. */
int tam_main(const struct tam_program *program, int argc, char **argv);

/* ---- frames -------------------------------------------------------------------------------------------- */

/* Begins an activation.  args: all parameters, of which late ones are set by tam_send_arg.  Results go to
 * `inlet' and the following inlets of the frame with word `ret'.  join counts the activation.  Returns the
 * activation's word for tam_send_arg. */
tam_word tam_invoke(struct tam_join *join, const struct tam_codeblock *codeblock, const tam_word *args,
                    tam_word ret, unsigned inlet);
void tam_send_arg(tam_word activation, const struct tam_codeblock *codeblock, unsigned param, tam_word value);
/* Sends a value to an inlet of a frame of any processor. */
void tam_send(tam_word frame, unsigned inlet, tam_word value);
/* Returns a new join, which notifies `inlet' of this frame when it ends. */
struct tam_join *tam_join_new(struct tam_frame *frame, unsigned inlet);
/* Ends the creator's own count: the activation that created the join has begun everything that it counts. */
void tam_join_end(struct tam_join *join);
/* Moves the remote continuation vector to the local one, and returns the number of threads. */
unsigned tam_take(struct tam_frame *frame, uint16_t *lcv);
/* Enables the first threads of an activation that starts again, and ends its quantum, so that messages are
 * served. */
void tam_yield(struct tam_frame *frame);
/* Reports that this activation waits for itself, for ever. */
void tam_stuck(struct tam_frame *frame, uint32_t site);

/* ---- the heap ------------------------------------------------------------------------------------------ */

/* Returns memory for an object, aligned to 16: called if the run of its size is used up, and for larger
 * objects (runtime/tam/allocate.c).  May collect garbage: references that the program still uses must be in a
 * C variable, a frame or another object. */
void *tam_obtain(size_t bytes, uint32_t site);
/* Called for each word that leaves for another processor: if the word refers to an object of this processor,
 * the collector keeps the object (runtime/tam/storage.c). */
void tam_export(tam_word word);
struct tam_object *tam_closure(const struct tam_codeblock *codeblock, unsigned held, uint32_t site);
/* kind: of the bits TAM_MUTABLE and TAM_NUMBERS. */
tam_word tam_array(unsigned dims, unsigned kind, const int64_t *bounds, uint32_t site);
void tam_apply(struct tam_frame *frame, unsigned inlet, tam_word closure, const tam_word *args,
               unsigned count, tam_word by_cell, uint32_t site);
/* Reads an element; the value arrives at the inlet, now or later.  dims 0: field i of a cell. */
void tam_fetch(struct tam_frame *frame, unsigned inlet, tam_word object, enum tam_mode mode, unsigned dims,
               int64_t i, int64_t j, int64_t k, uint32_t site);
/* Writes an element; `join' counts the write while it is under way. */
void tam_store(struct tam_join *join, tam_word object, enum tam_mode mode, unsigned dims, int64_t i,
               int64_t j, int64_t k, tam_word value, uint32_t site);
/* tam_claim claims up to `count' elements, whose states lie at a distance of `step', for the writer that
 * fills them next; it stops at the first that is not empty, and returns their number.  tam_give_back releases
 * those that are claimed and not full. */
uint64_t tam_claim(uint8_t *state, int64_t step, uint64_t count);
void tam_give_back(uint8_t *state, int64_t step, uint64_t count);

/* ---- computing at once ---------------------------------------------------------------------------------
 *
 * Besides its code-block a function has a C function, which computes on the C stack without waiting
 * (runtime/tam/direct.c).  If it would have to wait, the rest of it becomes an activation. */

/* tam_give_half gives away passes of a loop, and returns the processor that gets them.  tam_await_half waits
 * until at most `before' pieces of work given away have not ended, or returns 0 if processor `to' waits
 * too. */
int tam_give_half(struct tam_join *join, const struct tam_codeblock *codeblock, const tam_word *args);
int tam_await_half(unsigned before, int to);
/* Returns whether C functions have to end, after the fuel is used up. */
int tam_must_end(void);
/* Begins an activation on this processor; its results go nowhere until tam_hand. */
struct tam_frame *tam_rest(struct tam_join *join, const struct tam_codeblock *codeblock,
                           const tam_word *args);
/* Begins an activation like tam_rest, of a whole call: its C function has found that it must wait, and
 * threads repeat the call. */
struct tam_frame *tam_later(struct tam_join *join, const struct tam_codeblock *codeblock,
                            const tam_word *args, int results);
/* Reads an element for a late parameter of such an activation. */
void tam_fetch_late(struct tam_frame *rest, unsigned param, tam_word object, enum tam_mode mode,
                    unsigned dims, int64_t i, int64_t j, int64_t k, uint32_t site);
/* Applies a closure for a late parameter of such an activation. */
void tam_apply_late(struct tam_frame *rest, unsigned param, tam_word closure, const tam_word *args,
                    unsigned count, uint32_t site);
/* Applies a closure on this host by its C function, if all arguments are there.  Returns 0 if it has not been
 * applied. */
int tam_apply_now(struct tam_join *join, tam_word closure, const tam_word *args, unsigned count,
                  struct tam_value *result);
/* For the join of a call from a C function.  tam_join_over frees the join and returns 1 if everything that it
 * counts has ended; tam_join_wait makes it notify a late parameter of `rest'. */
int tam_join_over(struct tam_join *join);
void tam_join_wait(struct tam_join *join, struct tam_frame *rest, unsigned param);

/* ---- the world ----------------------------------------------------------------------------------------- */

_Noreturn void tam_fail(uint32_t site, const char *format, ...) __attribute__((format(printf, 2, 3)));
tam_word tam_text_list(unsigned text);
tam_word tam_show_int(int64_t value, tam_word tail);
tam_word tam_show_float(double value, tam_word tail);
int64_t tam_argc(void);
tam_word tam_argv(int64_t i, uint32_t site);
int64_t tam_processors(void);
int64_t tam_power(int64_t base, int64_t exponent, uint32_t site);
int64_t tam_io(int operation, int64_t a, int64_t b, uint32_t site);

/* ---- in line ------------------------------------------------------------------------------------------- */

MER_INLINE tam_word tam_frame_word(struct tam_frame *frame) {
    return tam_registers.here | (tam_word)(uintptr_t)frame;
}
MER_INLINE tam_word tam_object_word(struct tam_object *object, unsigned tag) {
    return tam_registers.here | (tam_word)(uintptr_t)object | tag;
}
MER_INLINE int tam_is_here(tam_word reference) { return (reference ^ tam_registers.here) >> 48 == 0; }
/* Returns whether an object lies on this host, so that it can be read by loads. */
MER_INLINE int tam_is_local(tam_word reference) {
    return reference - tam_registers.local_first < tam_registers.local_count;
}
MER_INLINE struct tam_object *tam_at(tam_word reference) {
    return (struct tam_object *)(uintptr_t)(reference & MER_ADDR_MASK & ~15ULL);
}
MER_INLINE tam_word *tam_elements(struct tam_object *object) { return object->v + 2 * object->dims; }
/* The state of a field of a cell or a closure; `at' is a constant in compiled code. */
MER_INLINE uint8_t *tam_field_state(struct tam_object *cell, uint64_t at) {
    return at < TAM_HEADER_STATES ? &cell->states[at]
                                  : (uint8_t *)(cell->v + cell->size) + (at - TAM_HEADER_STATES);
}
/* The state of an element of any object. */
MER_INLINE uint8_t *tam_state(struct tam_object *object, uint64_t at) {
    return object->dims ? (uint8_t *)(tam_elements(object) + object->size) + at : tam_field_state(object, at);
}
MER_INLINE struct tam_object *tam_new(size_t bytes, uint32_t site) {
    if (bytes <= TAM_SMALL) {
        struct tam_run *run = &tam_registers.runs[(bytes + 15) / 16];
        char *at = run->next;
        if (__builtin_expect(at != run->end, 1)) {
            run->next = at + ((bytes + 15) & ~(size_t)15);
            return (struct tam_object *)(void *)at;
        }
    }
    return (struct tam_object *)tam_obtain(bytes, site);
}
/* A cell whose fields are all empty. */
MER_INLINE struct tam_object *tam_cell(unsigned fields, uint32_t site) {
    unsigned more = fields > TAM_HEADER_STATES ? fields - TAM_HEADER_STATES : 0;
    struct tam_object *object = tam_new(sizeof(struct tam_object) + fields * sizeof(tam_word) + more, site);
    object->size = fields;
    object->dims = object->kind = 0;
    object->closure = 0;
    object->site = site;
    memset(object->states, TAM_EMPTY, sizeof object->states);
    if (more)
        memset(object->v + fields, TAM_EMPTY, more);
    return object;
}
MER_INLINE int tam_has_fields(tam_word value, tam_word constructor) {
    return value > TAM_NO_REFERENCE && (value & 15) == constructor;
}
MER_INLINE double tam_f(tam_word word) {
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}
MER_INLINE tam_word tam_w(double value) {
    tam_word word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* Sets the destination of the results of an activation that a C function has left. */
MER_INLINE void tam_hand(struct tam_frame *rest, tam_word ret, unsigned inlet) {
    rest->ret = ret;
    rest->ret_inlet = (uint16_t)inlet;
}
/* Returns whether a call has to become an activation: the scheduler has to run, or the stack is used up. */
MER_INLINE int tam_call_waits(void) {
    if (__builtin_expect(--tam_registers.fuel < 0, 0) && tam_must_end())
        return 1;
    return __builtin_expect((uintptr_t)__builtin_frame_address(0) < tam_registers.stack_end, 0);
}
/* tam_call_waits for a function that forks: notes the call for tam_share_must_split, which looks for work to
 * give away. */
MER_INLINE int tam_fork_waits(void) {
    tam_registers.forked = 1;
    return tam_call_waits();
}
#define TAM_TURNS 16 /* iterations of a loop between two tests of the fuel */
MER_INLINE int tam_loop_waits(unsigned turns) {
    return __builtin_expect(turns % TAM_TURNS == 0, 0) && (tam_registers.fuel -= TAM_TURNS) < 0 &&
           tam_must_end();
}
/* tam_loop_waits for a loop that calls functions: it ends soon after a called function has had to. */
MER_INLINE int tam_calls_wait(unsigned turns) {
    if (__builtin_expect(turns % TAM_TURNS == 0, 0))
        tam_registers.fuel -= TAM_TURNS;
    return __builtin_expect(tam_registers.fuel < 0, 0) && tam_must_end();
}
/* tam_loop_waits after `turns' iterations without a test. */
MER_INLINE int tam_stretch_waits(uint64_t turns) {
    return __builtin_expect((tam_registers.fuel -= (int64_t)turns) < 0, 0) && tam_must_end();
}
/* Measurements of a loop whose passes can be given away. */
struct tam_passes {
    int alone;              /* its passes have waited for each other */
    uint32_t turns, slices; /* `turns' passes have taken `slices' slices; 0: not measured */
};
#define TAM_WORTH 6 /* slices that the remaining passes must take at least */
#define TAM_SURE 2  /* slices that must have passed: the first may end early by chance */
/* Returns the distance of the middle of a loop's remaining passes from the next pass, if the half from there
 * on is worth giving away; else 0.  slices: the number that the passes have taken so far.  The measurement is
 * kept for the next run of the loop, which then gives half of its passes away at once. */
MER_INLINE int64_t tam_half(struct tam_passes *passes, int64_t distance, int64_t step, unsigned turns,
                            uint64_t slices) {
    if (slices >= TAM_SURE) {
        passes->turns = turns;
        passes->slices = (uint32_t)slices;
    }
    if (step <= 0 || distance < step || passes->turns == 0)
        return 0;
    uint64_t left = (uint64_t)(distance / step) + 1;
    int worth = left * passes->slices >= (uint64_t)TAM_WORTH * passes->turns;
    return worth ? step * (int64_t)((left + 1) / 2) : 0;
}

/* A full element stays full, except mutable ones, which only their owner reads in line.  The load acquires
 * the writes that the store of TAM_FULL has released (tam_put, tam_element_write): the value, and the object
 * to which it refers. */
MER_INLINE int tam_is_full(const uint8_t *state) {
    return __atomic_load_n(state, __ATOMIC_ACQUIRE) == TAM_FULL;
}
/* Fills an element.  Release, partner: the acquire in tam_is_full. */
MER_INLINE void tam_fill(tam_word *element, uint8_t *state, tam_word value) {
    *element = value;
    __atomic_store_n(state, TAM_FULL, __ATOMIC_RELEASE);
}
/* Reads a field that is local and full, without a message (table 6-4's local ifetch); else returns 0. */
MER_INLINE int tam_field_here(tam_word cell, unsigned at, tam_word *value) {
    if (__builtin_expect(!tam_is_local(cell), 0))
        return 0;
    struct tam_object *object = tam_at(cell);
    if (__builtin_expect(!tam_is_full(tam_field_state(object, at)), 0))
        return 0;
    *value = object->v[at];
    TAM_COUNT(FETCH_HERE, 1);
    return 1;
}
/* Returns the number of an element of a local array, or -1 if the index is out of bounds. */
MER_INLINE int64_t tam_offset(const struct tam_object *object, unsigned dims, int64_t i, int64_t j,
                              int64_t k) {
    const int64_t *b = (const int64_t *)object->v;
    if (__builtin_expect(i < b[0] || i > b[1], 0))
        return -1;
    int64_t at = i - b[0];
    if (dims > 1) {
        if (__builtin_expect(j < b[2] || j > b[3], 0))
            return -1;
        at = at * (b[3] - b[2] + 1) + (j - b[2]);
    }
    if (dims > 2) {
        if (__builtin_expect(k < b[4] || k > b[5], 0))
            return -1;
        at = at * (b[5] - b[4] + 1) + (k - b[4]);
    }
    return at;
}
/* Returns the state of an element of a local object, or null if the index is out of bounds, which tam_fetch
 * and tam_store report. */
MER_INLINE uint8_t *tam_state_here(struct tam_object *object, unsigned dims, int64_t i, int64_t j, int64_t k,
                                   tam_word **element) {
    int64_t at = dims ? tam_offset(object, dims, i, j, k) : i;
    if (__builtin_expect(at < 0, 0))
        return NULL;
    tam_word *elements = object->v + 2 * dims;
    *element = elements + at;
    return dims ? (uint8_t *)(elements + object->size) + at : tam_field_state(object, (uint64_t)at);
}
/* tam_field_here for an element of an array. */
MER_INLINE int tam_element_here(tam_word array, unsigned dims, int64_t i, int64_t j, int64_t k,
                                tam_word *value) {
    tam_word *element;
    if (__builtin_expect(!tam_is_local(array), 0))
        return 0;
    const uint8_t *state = tam_state_here(tam_at(array), dims, i, j, k, &element);
    if (__builtin_expect(!state || !tam_is_full(state), 0))
        return 0;
    *value = *element;
    TAM_COUNT(FETCH_HERE, 1);
    return 1;
}
/* tam_element_here and tam_field_here (dims 0) for an element that others may take: only on its owner. */
MER_INLINE int tam_examine_here(tam_word array, unsigned dims, int64_t i, int64_t j, int64_t k,
                                tam_word *value) {
    return tam_is_here(array) &&
           (dims ? tam_element_here(array, dims, i, j, k, value) : tam_field_here(array, (unsigned)i, value));
}
/* Fills an empty element of a local object.  Returns 0 if it is not empty, or if its owner has to fill it.
 * While no other processor knows the object, the owner needs no atomic operation.  Else two processors may
 * write, or a reader may begin to wait, at the same time, and a compare-and-swap decides
 * (runtime/tam/heap.c). */
MER_INLINE int tam_fill_here(tam_word array, struct tam_object *object, tam_word *element, uint8_t *state,
                             tam_word value) {
    unsigned kind = __atomic_load_n(&object->kind, __ATOMIC_ACQUIRE);
    if (__builtin_expect((kind & (TAM_SHARED | TAM_MUTABLE)) != TAM_SHARED, 1)) {
        if (__builtin_expect(!tam_is_here(array) || *state != TAM_EMPTY, 0))
            return 0;
    } else {
        uint8_t empty = TAM_EMPTY;
        if (!tam_is_here(array) && !(kind & TAM_NUMBERS))
            tam_export(value);
        if (!__atomic_compare_exchange_n(state, &empty, TAM_WRITING, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return 0;
    }
    tam_fill(element, state, value);
    TAM_COUNT(STORE_HERE, 1);
    return 1;
}
/* Takes an element or a field (dims 0) that is full and on this processor; else returns 0. */
MER_INLINE int tam_take_here(tam_word array, unsigned dims, int64_t i, int64_t j, int64_t k,
                             tam_word *value) {
    tam_word *element;
    if (!tam_is_here(array))
        return 0;
    uint8_t *state = tam_state_here(tam_at(array), dims, i, j, k, &element);
    if (!state || *state != TAM_FULL)
        return 0;
    *value = *element;
    *state = TAM_EMPTY;
    TAM_COUNT(TAKE_HERE, 1);
    return 1;
}
/* Stores into an element or a field (dims 0); in line, if it is local and empty (table 6-4's local
 * istore). */
MER_INLINE int tam_put_here(tam_word array, unsigned dims, int64_t i, int64_t j, int64_t k, tam_word value) {
    tam_word *element;
    if (__builtin_expect(!tam_is_local(array), 0))
        return 0;
    struct tam_object *object = tam_at(array);
    uint8_t *state = tam_state_here(object, dims, i, j, k, &element);
    return state && tam_fill_here(array, object, element, state, value);
}
MER_INLINE void tam_put(struct tam_join *join, tam_word array, enum tam_mode mode, unsigned dims, int64_t i,
                        int64_t j, int64_t k, tam_word value, uint32_t site) {
    if (__builtin_expect(!tam_put_here(array, dims, i, j, k, value), 0))
        tam_store(join, array, mode, dims, i, j, k, value, site);
}
/* Returns a new array that is not mutable, with `size' elements, a constant.  tam_array is for all others. */
MER_INLINE tam_word tam_small_array(unsigned dims, unsigned size, unsigned kind, const int64_t *bounds,
                                    uint32_t site) {
    size_t words = 2 * dims + size;
    struct tam_object *object = tam_new(sizeof(struct tam_object) + words * sizeof(tam_word) + size, site);
    object->size = size;
    object->dims = (uint8_t)dims;
    object->kind = (uint8_t)kind;
    object->closure = 0;
    object->site = site;
    memset(object->states, TAM_EMPTY, sizeof object->states);
    for (unsigned n = 0; n < 2 * dims; n++)
        object->v[n] = (tam_word)bounds[n];
    memset(object->v + words, TAM_EMPTY, size);
    return tam_object_word(object, 0);
}
/* Empties an array with these bounds that nobody else refers to any more, to use it as a new one. */
MER_INLINE tam_word tam_small_again(tam_word array, unsigned dims, unsigned size) {
    memset(tam_at(array)->v + 2 * dims + size, TAM_EMPTY, size);
    return array;
}
/* Fills an empty element of such an array that nobody else knows yet. */
MER_INLINE void tam_fill_new(tam_word array, unsigned dims, unsigned size, unsigned at, tam_word value) {
    tam_word *elements = tam_at(array)->v + 2 * dims;
    elements[at] = value;
    ((uint8_t *)(elements + size))[at] = TAM_FULL;
    TAM_COUNT(STORE_HERE, 1);
}
/* Fills a field of a new cell that nobody else knows yet. */
MER_INLINE void tam_set(struct tam_object *cell, unsigned at, tam_word value) {
    cell->v[at] = value;
    *tam_field_state(cell, at) = TAM_FULL;
}
MER_INLINE void tam_delay(struct tam_object *cell, unsigned at, tam_word closure) {
    cell->v[at] = closure;
    *tam_field_state(cell, at) = TAM_DELAYED;
}
MER_INLINE int64_t tam_quotient(int64_t a, int64_t b, uint32_t site) {
    if (__builtin_expect(b == 0, 0))
        tam_fail(site, "division by zero");
    return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}
MER_INLINE int64_t tam_remainder(int64_t a, int64_t b, uint32_t site) {
    if (__builtin_expect(b == 0, 0))
        tam_fail(site, "remainder of a division by zero");
    return b == -1 ? 0 : a % b;
}
MER_INLINE int64_t tam_mod(int64_t a, int64_t b, uint32_t site) {
    int64_t r = tam_remainder(a, b, site);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
/* A float as an integer; a value out of range becomes the nearest integer in range, and a NaN becomes 0. */
MER_INLINE int64_t tam_whole(double x) {
    return x >= 9223372036854775808.0   ? INT64_MAX
           : x < -9223372036854775808.0 ? INT64_MIN
           : x != x                     ? 0
                                        : (int64_t)x;
}

#include <meridian/abi/tam_view.h>

#endif
