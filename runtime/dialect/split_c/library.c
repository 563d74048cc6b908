/* The rest of Split-C's library: barrier, spread memory, atomics, queues, the clock. */
#include "dialect/split_c/spread.h"

#include "am/am.h"
#include "rma/atomic.h"

#include "host/job.h"
#include "base/clock.h"
#include "base/fatal.h"
#include "heap/heap.h"
#include "sync/barrier.h"

#include <meridian/everything.h>
#include <split-c/atomic.h>
#include <split-c/split-c.h>
#include <stdarg.h>
#include <string.h>

#define ME mer_job.mythread
#define THREADS mer_job.threads

/* A processor that finds the others there does not wait, and would handle no message. */
void barrier(void) {
    mer_am_poll();
    mer_barrier_collective("barrier");
}

double get_seconds(void) { return mer_clock_seconds(); }

/* ---- spread memory ------------------------------------------------------------------------------------- */

static mer_ptr spread(size_t nblocks, size_t nbytes, const char *name) {
    size_t threads = (size_t)THREADS, turns = nblocks / threads + (nblocks % threads != 0), each, all;
    if (nblocks == 0 || nbytes == 0)
        return mer_mk(0);
    if (__builtin_mul_overflow(turns, nbytes, &each) || __builtin_mul_overflow(nblocks, nbytes, &all)) {
        mer_warn("%s: asked for %zu blocks of %zu bytes, more than an address space can hold; it returns a "
                 "null pointer",
                 name, nblocks, nbytes);
        return mer_mk(0);
    }
    uint64_t at = mer_heap_symmetric(each, all, name);
    return mer_mk(at ? mer_bits(0, at) : 0);
}

static void spread_release(mer_ptr p, const char *name) {
    if (p.bits)
        mer_heap_free((int)mer_threadof(p.bits), mer_native(p.bits), name);
}

mer_ptr mer_spread_together(size_t nblocks, size_t nbytes, const char *name) {
    mer_ptr p = ME == 0 ? spread(nblocks, nbytes, name) : mer_mk(0);
    mer_barrier_exchange(name, p.bits);
    return mer_mk(mer_barrier_payload(0));
}

mer_ptr all_spread_malloc(size_t nblocks, size_t nbytes) {
    return mer_spread_together(nblocks, nbytes, "all_spread_malloc");
}

void all_spread_free(mer_ptr p) {
    mer_barrier_collective("all_spread_free");
    if (ME == 0)
        spread_release(p, "all_spread_free");
}

mer_ptr spread_malloc(size_t nblocks, size_t nbytes) { return spread(nblocks, nbytes, "spread_malloc"); }

void spread_free(mer_ptr p) { spread_release(p, "spread_free"); }

/* ---- atomics ------------------------------------------------------------------------------------------- */

int fetch_and_add(mer_ptr object, int value) {
    return (int)mer_remote_atomic(MER_REMOTE_ADD, 4, object.bits, value, 0);
}
long fetch_and_add_l(mer_ptr object, long value) {
    return mer_remote_atomic(MER_REMOTE_ADD, 8, object.bits, value, 0);
}
int exchange(mer_ptr object, int value) {
    return (int)mer_remote_atomic(MER_REMOTE_SWAP, 4, object.bits, value, 0);
}
long exchange_l(mer_ptr object, long value) {
    return mer_remote_atomic(MER_REMOTE_SWAP, 8, object.bits, value, 0);
}
int test_and_set(mer_ptr object) { return (int)mer_remote_atomic(MER_REMOTE_SWAP, 4, object.bits, 1, 0); }
int cmp_and_swap(mer_ptr object, int old, int value) {
    return (int)mer_remote_atomic(MER_REMOTE_CAS, 4, object.bits, value, old);
}
long cmp_and_swap_l(mer_ptr object, long old, long value) {
    return mer_remote_atomic(MER_REMOTE_CAS, 8, object.bits, value, old);
}

static mer_u64 run_by_owner(splitc_function *function, int nargs, mer_ptr object, va_list list) {
    mer_u64 words[MER_REMOTE_WORDS] = {0};
    int nwords = nargs & 255;
    for (int i = 0; i < nwords && i < MER_REMOTE_WORDS; i++)
        words[i] = va_arg(list, mer_u64);
    return mer_remote_call((mer_remote_function *)function, object.bits, words, nwords, (unsigned)nargs >> 8);
}

/* A floating-point result is in the low bytes of its word. */
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a float is at the beginning of its word");

#define ATOMIC(name, type)                                                                                   \
    type name(splitc_function *function, int nargs, mer_ptr object, ...) {                                   \
        va_list list;                                                                                        \
        va_start(list, object);                                                                              \
        mer_u64 word = run_by_owner(function, nargs, object, list);                                          \
        va_end(list);                                                                                        \
        type result;                                                                                         \
        memcpy(&result, &word, sizeof result);                                                               \
        return result;                                                                                       \
    }
ATOMIC(mer_splitc_atomic, long)
ATOMIC(mer_splitc_atomic_int, int)
ATOMIC(mer_splitc_atomic_float, float)
ATOMIC(mer_splitc_atomic_double, double)

/* ---- queues -------------------------------------------------------------------------------------------- */

static_assert(sizeof(splitc_queue) == sizeof(struct mer_queue), "one layout");

void queue_init(splitc_queue *queue, void *items, size_t capacity, size_t nbytes) {
    if (capacity == 0 || nbytes == 0 || nbytes > MER_AM_MEDIUM)
        mer_fatal("queue_init: %zu items of %zu bytes, but a queue holds at least 1 item of 1 to %d bytes",
                  capacity, nbytes, MER_AM_MEDIUM);
    struct mer_queue q = {.items = mer_to_global(items).bits, .capacity = capacity, .size = nbytes};
    memcpy(queue, &q, sizeof q);
}

int enqueue(mer_ptr queue, const void *item) { return mer_remote_enqueue(queue.bits, item); }

int dequeue(splitc_queue *queue, void *item) { return mer_remote_dequeue(mer_to_global(queue).bits, item); }
