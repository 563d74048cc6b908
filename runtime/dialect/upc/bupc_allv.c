/* <bupc_collectivev.h>: collectives of one value a thread.
 *
 * Every thread gives a value, passes one barrier, and takes the values that it needs.
 *
 * On one host, and for long values, they use buffers: every thread has two in shared memory, used in turn,
 * and fills the one whose turn it is, its own or (permute) another's.  Why two are enough: a buffer is
 * written again two collectives later, and between lies a barrier that every thread enters only after it has
 * taken its values.  All fetches from other hosts are under way at the same time.
 *
 * Among hosts, short values travel in the barrier (mer_barrier_allgather): nothing is left to fetch.
 *
 * One barrier and THREADS small reads: for bulk data there is <upc_collective.h>.
 */
#include "dialect/upc/bupc.h"

#include "am/am.h"
#include "host/job.h"
#include "base/fatal.h"
#include "heap/heap.h"
#include "rma/copy.h"
#include "sync/barrier.h"

#include <string.h>

static uint64_t buffers; /* native address of each thread's two */
static size_t capacity;  /* bytes of one */
static unsigned turn;

/* Makes buffers of at least so many bytes.  Sizes are the same on all threads, so all come here together. */
static void provide(size_t size, const char *name) {
    if (size <= capacity)
        return;
    if (buffers) {
        mer_barrier_collective(name); /* nobody reads the old ones any more */
        if (mer_job.mythread == 0)
            mer_heap_free(0, buffers, name);
    }
    capacity = size < 64 ? 64 : (size + 63) / 64 * 64;
    uint64_t mine = 0;
    if (mer_job.mythread == 0)
        mine = mer_heap_symmetric(2 * capacity, 2 * capacity * (size_t)mer_job.threads, name);
    mer_barrier_exchange(name, mine);
    buffers = mer_barrier_payload(0);
    if (!buffers)
        mer_fatal("%s: no shared memory for the values", name);
}

/* A collective in which this thread has given its value and takes those of others. */
struct meeting {
    const char *name;
    bool in_barrier; /* values travel in the barrier, not in buffers */
    int counter;     /* fetches under way */
};

static mer_u64 buffer_of(int thread) { return mer_bits((uint64_t)thread, buffers + (turn & 1) * capacity); }

/* May values of at most so many bytes a thread travel in the barrier? */
static bool travel(size_t size, bool all_need_them) {
    return mer_job.has_remote && mer_barrier_allgather_pays(size, all_need_them);
}

/* Puts n bytes into thread to's buffer of `size' bytes, and meets the others. */
static void meet_in_boxes(int to, const void *mine, size_t n, size_t size, const char *name) {
    provide(size, name);
    turn++;
    mer_rma_put(buffer_of(to), mine, n, name);
    mer_barrier_collective(name);
}

/* Gives n bytes, and meets the others; a thread gives `size' bytes at most. */
static struct meeting meet(const void *mine, size_t n, size_t size, bool all_need_them, const char *name) {
    struct meeting m = {name, travel(size, all_need_them), 0};
    if (m.in_barrier)
        mer_barrier_allgather(name, mine, n);
    else
        meet_in_boxes(mer_job.mythread, mine, n, size, name);
    return m;
}

/* Begin to take n of the bytes that a thread has given; they are here after `over'. */
static void take(struct meeting *m, void *into, int thread, size_t offset, size_t n) {
    if (m->in_barrier)
        memcpy(into, (const char *)mer_barrier_gathered(thread) + offset, n);
    else
        mer_rma_get_begin(into, buffer_of(thread) + offset, n, &m->counter, m->name);
}

static void over(struct meeting *m) { mer_am_wait_counter(&m->counter); }

static void check_root(int root, const char *name) {
    if (root < 0 || root >= mer_job.threads)
        mer_fatal("%s: there is no thread %d among %d threads", name, root, mer_job.threads);
}

/* ---- reductions ---------------------------------------------------------------------------------------- */

/* *sum = *sum op *value, for values of one type.  Returns false if the type has no such operation. */
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

#define SOME 64 /* values in hand at a time */

/* Folds the values of the first `count' threads into *sum. */
static void fold_all(struct meeting *m, fold *add, upc_op_t op, char *sum, size_t size, int count) {
    _Alignas(16) char values[SOME][16];
    for (int first = 0; first < count; first += SOME) {
        int n = count - first < SOME ? count - first : SOME;
        for (int i = 0; i < n; i++)
            take(m, values[i], first + i, 0, size);
        over(m);
        if (first == 0)
            memcpy(sum, values[0], size);
        for (int i = first == 0; i < n; i++)
            add(sum, values[i], op);
    }
}

void mer_allv_reduce(void *value, size_t size, int kind, upc_op_t op, int form, int root) {
    static const char *const names[] = {"bupc_allv_reduce", "bupc_allv_reduce_all",
                                        "bupc_allv_prefix_reduce"};
    const char *name = names[form];
    fold *add = size <= 16 && !(size & (size - 1)) ? folds[kind][__builtin_ctzl(size)] : NULL;
    _Alignas(16) char sum[16] = {0};
    if (!add || !add(sum, sum, op))
        mer_fatal("%s: operation 0x%lx cannot be done on this type of %zu bytes", name, op, size);
    check_root(root, name);
    struct meeting m = meet(value, size, size, true, name);
    if (form == REDUCE_ROOT && mer_job.mythread != root)
        return;
    fold_all(&m, add, op, sum, size, form == REDUCE_PREFIX ? mer_job.mythread + 1 : mer_job.threads);
    memcpy(value, sum, size);
}

/* ---- moves --------------------------------------------------------------------------------------------- */

void mer_allv_broadcast(void *value, size_t size, int root) {
    static const char name[] = "bupc_allv_broadcast";
    check_root(root, name);
    struct meeting m = meet(value, mer_job.mythread == root ? size : 0, size, true, name);
    take(&m, value, root, 0, size);
    over(&m);
}

void mer_allv_scatter(void *value, size_t size, int root, const void *source) {
    static const char name[] = "bupc_allv_scatter";
    size_t all = size * (size_t)mer_job.threads;
    check_root(root, name);
    struct meeting m = meet(source, mer_job.mythread == root ? all : 0, all, false, name);
    take(&m, value, root, size * (size_t)mer_job.mythread, size);
    over(&m);
}

static void collect(struct meeting *m, size_t size, char *destination) {
    for (int t = 0; t < mer_job.threads; t++)
        take(m, destination + size * (size_t)t, t, 0, size);
    over(m);
}

void *mer_allv_gather(const void *value, size_t size, int root, void *destination) {
    check_root(root, "bupc_allv_gather");
    struct meeting m = meet(value, size, size, false, "bupc_allv_gather");
    if (mer_job.mythread == root)
        collect(&m, size, destination);
    return destination;
}

void *mer_allv_gather_all(const void *value, size_t size, void *destination) {
    struct meeting m = meet(value, size, size, true, "bupc_allv_gather_all");
    collect(&m, size, destination);
    return destination;
}

/* In the barrier each value travels with the number of the thread that it is for. */
void mer_allv_permute(void *value, size_t size, int to) {
    static const char name[] = "bupc_allv_permute";
    check_root(to, name);
    if (!travel(sizeof to + size, false)) {
        meet_in_boxes(to, value, size, size, name);
        mer_rma_get(value, buffer_of(mer_job.mythread), size, name);
        return;
    }
    char given[MER_ALLGATHER_FEW];
    memcpy(given, &to, sizeof to);
    memcpy(given + sizeof to, value, size);
    mer_barrier_allgather(name, given, sizeof to + size);
    for (int t = 0, whose; t < mer_job.threads; t++) {
        memcpy(&whose, mer_barrier_gathered(t), sizeof whose);
        if (whose == mer_job.mythread)
            memcpy(value, (const char *)mer_barrier_gathered(t) + sizeof whose, size);
    }
}
