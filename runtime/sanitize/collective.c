/* Collective functions, under the names of sanitize.h.
 *
 * A flag ALLSYNC orders as a barrier does.  The accesses of the call are checked as those of the threads that
 * have the data: with MYSYNC each thread's data is accessed after it has entered and before it leaves.  With
 * NOSYNC on both sides another thread may access the data as soon as it has entered, so the accesses are
 * taken as those of the next thread.
 *
 * Data orders too: without NOSYNC, a thread that leaves with data of another one knows that this one has
 * entered.  The call is a sync object, which those that give data release when they enter, and those that get
 * data acquire when they leave. */
#include "dialect/upc/bupc.h"
#include "host/job.h"
#include "sanitize/access.h"
#include "sanitize/clock.h"
#include "sanitize/flags.h"

#include <stdbool.h>

/* The accesses of a collective call to the data of one thread. */
typedef void part(uint64_t thread, const void *call, struct mer_caller caller);

/* Threads of a call: all, or one. */
#define ALL (-1)
static bool is_among(int threads) { return threads == ALL || threads == mer_job.mythread; }

/* The name of the sync object of all calls: no address of memory. */
#define CALLS 1

static bool data_orders(upc_flag_t flags) { return !(flags & (UPC_IN_NOSYNC | UPC_OUT_NOSYNC)); }

/* giver, getter: the threads that give, and get, data. */
static void enter(const char *name, upc_flag_t flags, int giver, part *accesses, const void *call,
                  struct mer_caller caller) {
    uint64_t me = (uint64_t)mer_job.mythread, threads = (uint64_t)mer_job.threads;
    mer_sanitize_in(name, flags);
    bool others = flags & UPC_IN_NOSYNC && flags & UPC_OUT_NOSYNC;
    accesses(others ? (me + threads - 1) % threads : me, call, caller);
    if (data_orders(flags) && is_among(giver))
        mer_clock_release(CALLS);
}

static void leave(const char *name, upc_flag_t flags, int getter) {
    if (data_orders(flags) && is_among(getter))
        mer_clock_acquire(CALLS);
    mer_sanitize_out(name, flags);
}

static int owner(mer_pptr p) { return (int)mer_threadof(p.bits); }

/* The address of the bytes in a thread's span that the pointer has in its own. */
static void *in_span(mer_pptr p, uint64_t thread) {
    return (void *)(uintptr_t)(MER_VIEW_BASE + thread * mer_job.span + mer_native(p.bits));
}

/* ---- relocalisation (7.4.2) ---------------------------------------------------------------------------- */

/* A side of a move: bytes that each thread has, or that one thread has for all. */
struct side {
    mer_pptr at;
    bool single;
    size_t n;
};
struct move {
    struct side dst, src;
};

static bool has(uint64_t thread, struct side side) {
    return side.n > 0 && (!side.single || mer_threadof(side.at.bits) == thread);
}

static void move_part(uint64_t thread, const void *call, struct mer_caller caller) {
    const struct move *move = call;
    if (has(thread, move->src))
        mer_sanitize_read(in_span(move->src.at, thread), move->src.n, caller);
    if (has(thread, move->dst))
        mer_sanitize_write(in_span(move->dst.at, thread), move->dst.n, caller);
}

#define MOVE(name, dst_single, dst_n, src_single, src_n)                                                     \
    void mer_san_##name(mer_pptr dst, mer_pptr src, size_t n, upc_flag_t flags);                             \
    void mer_san_##name(mer_pptr dst, mer_pptr src, size_t n, upc_flag_t flags) {                            \
        struct move move = {{dst, dst_single, dst_n}, {src, src_single, src_n}};                             \
        enter(#name, flags, src_single ? owner(src) : ALL, move_part, &move, MER_CALLER);                    \
        name(dst, src, n, flags);                                                                            \
        leave(#name, flags, dst_single ? owner(dst) : ALL);                                                  \
    }
#define FOR_ALL (n * (size_t)mer_job.threads)
MOVE(upc_all_broadcast, false, n, true, n)
MOVE(upc_all_scatter, false, n, true, FOR_ALL)
MOVE(upc_all_gather, true, FOR_ALL, false, n)
MOVE(upc_all_gather_all, false, FOR_ALL, false, n)
MOVE(upc_all_exchange, false, FOR_ALL, false, FOR_ALL)

void mer_san_upc_all_permute(mer_pptr dst, mer_pptr src, mer_ptr perm, size_t n, upc_flag_t flags);
void mer_san_upc_all_permute(mer_pptr dst, mer_pptr src, mer_ptr perm, size_t n, upc_flag_t flags) {
    struct move move = {{dst, false, n}, {src, false, n}};
    mer_pptr own = {perm.bits, 0};
    mer_sanitize_read(in_span(own, (uint64_t)mer_job.mythread), sizeof(int), MER_CALLER);
    enter("upc_all_permute", flags, ALL, move_part, &move, MER_CALLER);
    upc_all_permute(dst, src, perm, n, flags);
    leave("upc_all_permute", flags, ALL);
}

/* ---- computation (7.4.3) ------------------------------------------------------------------------------- */

struct elements {
    mer_pptr dst, src;
    size_t size, nelems, block;
    bool one_result; /* else dst is dealt out as src is */
};

/* Accesses a thread's part of nelems elements from p on, in blocks. */
static void elements_part(mer_pptr p, const struct elements *call, bool write, uint64_t thread,
                          struct mer_caller caller) {
    uint64_t threads = (uint64_t)mer_job.threads, first = mer_threadof(p.bits), size = call->size,
             block = call->block ? call->block : call->nelems + p.phase;
    uint64_t base = mer_native(p.bits) - p.phase * size;
    for (uint64_t i = p.phase, end = p.phase + call->nelems; i < end;) {
        uint64_t number = i / block, stop = (number + 1) * block < end ? (number + 1) * block : end;
        if ((first + number) % threads == thread) {
            uint64_t at = base + ((first + number) / threads * block + i % block) * size;
            mer_sanitize_access(MER_VIEW_BASE + thread * mer_job.span + at, (stop - i) * size, write, caller);
        }
        i = stop;
    }
}

static void computed_part(uint64_t thread, const void *at, struct mer_caller caller) {
    const struct elements *call = at;
    elements_part(call->src, call, false, thread, caller);
    if (!call->one_result)
        elements_part(call->dst, call, true, thread, caller);
    else if (mer_threadof(call->dst.bits) == thread)
        mer_sanitize_write(mer_at(call->dst.bits), call->size, caller);
}

#define COMPUTE(name, TYPE, single)                                                                          \
    void mer_san_##name(mer_pptr dst, mer_pptr src, upc_op_t op, size_t nelems, size_t blk_size,             \
                        TYPE (*func)(TYPE, TYPE), upc_flag_t flags);                                         \
    void mer_san_##name(mer_pptr dst, mer_pptr src, upc_op_t op, size_t nelems, size_t blk_size,             \
                        TYPE (*func)(TYPE, TYPE), upc_flag_t flags) {                                        \
        struct elements call = {dst, src, sizeof(TYPE), nelems, blk_size, single};                           \
        enter(#name, flags, ALL, computed_part, &call, MER_CALLER);                                          \
        name(dst, src, op, nelems, blk_size, func, flags);                                                   \
        leave(#name, flags, single ? owner(dst) : ALL);                                                      \
    }
#define COMPUTE_BOTH(T, TYPE)                                                                                \
    COMPUTE(upc_all_reduce##T, TYPE, true) COMPUTE(upc_all_prefix_reduce##T, TYPE, false)
MER_UPC_ELEMENTS(COMPUTE_BOTH)

static void sorted_part(uint64_t thread, const void *at, struct mer_caller caller) {
    const struct elements *call = at;
    elements_part(call->src, call, true, thread, caller);
}

void mer_san_upc_all_sort(mer_pptr A, size_t elem_size, size_t nelems, size_t blk_size,
                          int (*func)(mer_pptr, mer_pptr), upc_flag_t flags);
/* The program's function compares elements that the call has moved: these accesses are not the program's. */
void mer_san_upc_all_sort(mer_pptr A, size_t elem_size, size_t nelems, size_t blk_size,
                          int (*func)(mer_pptr, mer_pptr), upc_flag_t flags) {
    struct elements call = {A, A, elem_size, nelems, blk_size, false};
    enter("upc_all_sort", flags, ALL, sorted_part, &call, MER_CALLER);
    mer_sanitize_pause(true);
    upc_all_sort(A, elem_size, nelems, blk_size, func, flags);
    mer_sanitize_pause(false);
    leave("upc_all_sort", flags, ALL);
}

/* ---- <bupc_collectivev.h>: each is taken as a barrier -------------------------------------------------- */

#define VALUES(name, parameters, arguments)                                                                  \
    void mer_san_##name parameters;                                                                          \
    void mer_san_##name parameters {                                                                         \
        mer_clock_all_sync(#name);                                                                           \
        name arguments;                                                                                      \
        mer_clock_all_sync(#name);                                                                           \
    }
VALUES(mer_allv_reduce, (void *value, size_t size, int kind, upc_op_t op, int form, int root),
       (value, size, kind, op, form, root))
VALUES(mer_allv_broadcast, (void *value, size_t size, int root), (value, size, root))
VALUES(mer_allv_scatter, (void *value, size_t size, int root, const void *source),
       (value, size, root, source))
VALUES(mer_allv_permute, (void *value, size_t size, int to), (value, size, to))

void *mer_san_mer_allv_gather(const void *value, size_t size, int root, void *destination);
void *mer_san_mer_allv_gather_all(const void *value, size_t size, void *destination);

void *mer_san_mer_allv_gather(const void *value, size_t size, int root, void *destination) {
    mer_clock_all_sync("bupc_allv_gather");
    void *got = mer_allv_gather(value, size, root, destination);
    mer_clock_all_sync("bupc_allv_gather");
    return got;
}

void *mer_san_mer_allv_gather_all(const void *value, size_t size, void *destination) {
    mer_clock_all_sync("bupc_allv_gather_all");
    void *got = mer_allv_gather_all(value, size, destination);
    mer_clock_all_sync("bupc_allv_gather_all");
    return got;
}
