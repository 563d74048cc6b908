/* <bupc_collectivev.h>: collectives of one value a thread.
 *
 * Every thread has two boxes in shared memory, used in turn.  In each collective it puts its value into the
 * box whose turn it is, its own or (permute) another's, passes one barrier, and takes what it needs from the
 * boxes of all.  Why two are enough: a box is written again two collectives later, and between lies a barrier
 * that every thread enters only after it has taken what it needs.
 *
 * One barrier and THREADS small reads: for bulk data there is <upc_collective.h>.
 */
#include "dialect/upc/bupc.h"

#include "core/job.h"
#include "core/message.h"
#include "heap/heap.h"
#include "rma/copy.h"
#include "sync/barrier.h"

#include <string.h>

static uint64_t boxes;  /* native address of each thread's two */
static size_t capacity; /* bytes of one */
static unsigned turn;

/* Have boxes of so many bytes.  Sizes are the same on all threads, so all come here together. */
static void provide(size_t size, const char *name) {
    if (size <= capacity)
        return;
    if (boxes) {
        mer_barrier_collective(name); /* nobody reads the old ones any more */
        if (mer_job.mythread == 0)
            mer_heap_free(0, boxes, name);
    }
    capacity = size < 64 ? 64 : (size + 63) / 64 * 64;
    uint64_t mine = 0;
    if (mer_job.mythread == 0)
        mine = mer_heap_symmetric(2 * capacity, 2 * capacity * (size_t)mer_job.threads, name);
    mer_barrier_exchange(name, mine);
    boxes = mer_barrier_payload(0);
    if (!boxes)
        mer_fatal("%s: no shared memory for the values", name);
}

/* The box whose turn it is, and how to fill and read part of it. */
static mer_u64 box(int thread) { return mer_bits((uint64_t)thread, boxes + (turn & 1) * capacity); }

static void fill(int thread, const void *value, size_t size, const char *name) {
    mer_rma_put(box(thread), value, size, name);
}

static void read_at(void *value, int thread, size_t offset, size_t size, const char *name) {
    mer_rma_get(value, box(thread) + offset, size, name);
}

/* Begin a collective: the box whose turn it is. */
static void begin(size_t size, const char *name) {
    provide(size, name);
    turn++;
}

static void check_root(int root, const char *name) {
    if (root < 0 || root >= mer_job.threads)
        mer_fatal("%s: there is no thread %d among %d threads", name, root, mer_job.threads);
}

/* ---- reductions ---------------------------------------------------------------------------------------- */

/* *sum = *sum op *value, for values of one type; false: the type has no such operation. */
typedef bool fold(void *sum, const void *value, upc_op_t op);

#define ARITHMETIC(T)                                                                                        \
    T *s = sum;                                                                                              \
    const T v = *(const T *)value;                                                                           \
    switch (op) {                                                                                            \
    case UPC_ADD:                                                                                            \
        *s = (T)(*s + v);                                                                                    \
        return true;                                                                                         \
    case UPC_MULT:                                                                                           \
        *s = (T)(*s * v);                                                                                    \
        return true;                                                                                         \
    case UPC_LOGAND:                                                                                         \
        *s = (T)(*s && v);                                                                                   \
        return true;                                                                                         \
    case UPC_LOGOR:                                                                                          \
        *s = (T)(*s || v);                                                                                   \
        return true;                                                                                         \
    case UPC_MIN:                                                                                            \
        *s = v < *s ? v : *s;                                                                                \
        return true;                                                                                         \
    case UPC_MAX:                                                                                            \
        *s = v > *s ? v : *s;                                                                                \
        return true;
#define FOLD_INTEGER(name, T)                                                                                \
    static bool name(void *sum, const void *value, upc_op_t op) {                                            \
        ARITHMETIC(T)                                                                                        \
    case UPC_AND:                                                                                            \
        *s &= v;                                                                                             \
        return true;                                                                                         \
    case UPC_OR:                                                                                             \
        *s |= v;                                                                                             \
        return true;                                                                                         \
    case UPC_XOR:                                                                                            \
        *s ^= v;                                                                                             \
        return true;                                                                                         \
    default:                                                                                                 \
        return false;                                                                                        \
    }                                                                                                        \
    }
#define FOLD_FLOATING(name, T)                                                                               \
    static bool name(void *sum, const void *value, upc_op_t op) {                                            \
        ARITHMETIC(T)                                                                                        \
    default:                                                                                                 \
        return false;                                                                                        \
    }                                                                                                        \
    }

FOLD_INTEGER(fold_i8, int8_t)
FOLD_INTEGER(fold_i16, int16_t)
FOLD_INTEGER(fold_i32, int32_t)
FOLD_INTEGER(fold_i64, int64_t)
FOLD_INTEGER(fold_u8, uint8_t)
FOLD_INTEGER(fold_u16, uint16_t)
FOLD_INTEGER(fold_u32, uint32_t)
FOLD_INTEGER(fold_u64, uint64_t)
FOLD_FLOATING(fold_float, float)
FOLD_FLOATING(fold_double, double)
FOLD_FLOATING(fold_long_double, long double)

/* By kind (signed, unsigned, floating) and the logarithm of the size. */
static fold *const folds[3][5] = {
    {fold_i8, fold_i16, fold_i32, fold_i64, NULL},
    {fold_u8, fold_u16, fold_u32, fold_u64, NULL},
    {NULL, NULL, fold_float, fold_double, fold_long_double},
};

enum { REDUCE_ROOT, REDUCE_ALL, REDUCE_PREFIX };

void mer_allv_reduce(void *value, size_t size, int kind, upc_op_t op, int form, int root) {
    static const char *const names[] = {"bupc_allv_reduce", "bupc_allv_reduce_all",
                                        "bupc_allv_prefix_reduce"};
    const char *name = names[form];
    fold *add = size <= 16 && !(size & (size - 1)) ? folds[kind][__builtin_ctzl(size)] : NULL;
    _Alignas(16) char sum[16] = {0};
    if (!add || !add(sum, sum, op))
        mer_fatal("%s: operation 0x%lx cannot be done on this type of %zu bytes", name, op, size);
    check_root(root, name);
    begin(size, name);
    fill(mer_job.mythread, value, size, name);
    mer_barrier_collective(name);
    if (form == REDUCE_ROOT && mer_job.mythread != root)
        return;
    int last = form == REDUCE_PREFIX ? mer_job.mythread : mer_job.threads - 1;
    read_at(sum, 0, 0, size, name);
    for (int t = 1; t <= last; t++) {
        _Alignas(16) char next[16];
        read_at(next, t, 0, size, name);
        add(sum, next, op);
    }
    memcpy(value, sum, size);
}

/* ---- moves --------------------------------------------------------------------------------------------- */

void mer_allv_broadcast(void *value, size_t size, int root) {
    check_root(root, "bupc_allv_broadcast");
    begin(size, "bupc_allv_broadcast");
    if (mer_job.mythread == root)
        fill(root, value, size, "bupc_allv_broadcast");
    mer_barrier_collective("bupc_allv_broadcast");
    read_at(value, root, 0, size, "bupc_allv_broadcast");
}

void mer_allv_scatter(void *value, size_t size, int root, const void *source) {
    check_root(root, "bupc_allv_scatter");
    begin(size * (size_t)mer_job.threads, "bupc_allv_scatter");
    if (mer_job.mythread == root)
        fill(root, source, size * (size_t)mer_job.threads, "bupc_allv_scatter");
    mer_barrier_collective("bupc_allv_scatter");
    read_at(value, root, size * (size_t)mer_job.mythread, size, "bupc_allv_scatter");
}

static void collect(size_t size, char *destination, const char *name) {
    for (int t = 0; t < mer_job.threads; t++)
        read_at(destination + size * (size_t)t, t, 0, size, name);
}

void *mer_allv_gather(const void *value, size_t size, int root, void *destination) {
    check_root(root, "bupc_allv_gather");
    begin(size, "bupc_allv_gather");
    fill(mer_job.mythread, value, size, "bupc_allv_gather");
    mer_barrier_collective("bupc_allv_gather");
    if (mer_job.mythread == root)
        collect(size, destination, "bupc_allv_gather");
    return destination;
}

void *mer_allv_gather_all(const void *value, size_t size, void *destination) {
    begin(size, "bupc_allv_gather_all");
    fill(mer_job.mythread, value, size, "bupc_allv_gather_all");
    mer_barrier_collective("bupc_allv_gather_all");
    collect(size, destination, "bupc_allv_gather_all");
    return destination;
}

void mer_allv_permute(void *value, size_t size, int to) {
    check_root(to, "bupc_allv_permute");
    begin(size, "bupc_allv_permute");
    fill(to, value, size, "bupc_allv_permute");
    mer_barrier_collective("bupc_allv_permute");
    read_at(value, mer_job.mythread, 0, size, "bupc_allv_permute");
}
