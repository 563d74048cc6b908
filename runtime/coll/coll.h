/* Collective copies and computations among all threads of the job.
 *
 * Every function here is called by all threads with the same arguments (except private addresses).  Memory is
 * named by the bits of a pointer-to-shared (abi.h).  `name' is the call as the user wrote it, for messages; a
 * string literal.
 *
 * Synchronisation.  Each call has two modes, for its entry and its end (UPC 7.3, upc_flag_t):
 *
 *   in   NO    memory may be read and written once the first thread has entered
 *        MY    memory with affinity to a thread only once that thread has entered
 *        ALL   only once all threads have entered
 *   out  NO    a thread may return at any time; memory is read and written until the last one has returned
 *        MY    a thread may return once all accesses to memory with affinity to it are complete
 *        ALL   a thread may return only once all accesses are complete
 *
 * How a call works.  All memory of a host is in the address space, so there are no messages.  Each thread
 * does a part of the work, and waits rarely, and for no more than the modes require.
 *
 *   neither side waits      each thread does its part and returns
 *   little work, ALL        one barrier, in which one thread does all the work (mer_barrier_act)
 *   little work, no ALL     data go through the lines on which the receiver waits (ring.h); a thread that
 *                           only gives does not wait, and may be many calls ahead of the receiver
 *   much work               the parts run at the same time, between the waits that the modes require
 */
#ifndef MER_COLL_COLL_H
#define MER_COLL_COLL_H

#include <meridian/abi/abi.h>
#include <stdbool.h>
#include <stddef.h>

enum mer_coll_sync { MER_SYNC_NO, MER_SYNC_MY, MER_SYNC_ALL };

/* ---- copies (move.c) ----------------------------------------------------------------------------------- */

enum mer_move_kind {
    MER_BROADCAST,  /* src, on one thread        -> dst on every thread */
    MER_SCATTER,    /* block t of src, on one    -> dst on thread t */
    MER_GATHER,     /* src on thread t           -> block t of dst, on one thread */
    MER_GATHER_ALL, /* src on thread t           -> block t of dst on every thread */
    MER_EXCHANGE,   /* block i of src on j       -> block j of dst on i */
    MER_PERMUTE     /* src on thread t           -> dst on thread perm[t] */
};

/* Blocks have nbytes bytes.  If an operand has a block on each thread, these lie at one native address, and
 * its pointer may have any affinity. */
struct mer_move {
    enum mer_move_kind kind;
    enum mer_coll_sync in, out;
    const char *name;
    mer_u64 dst, src;
    mer_u64 perm; /* MER_PERMUTE: THREADS ints, one on each thread; else 0 */
    size_t nbytes;
};
void mer_coll_move(const struct mer_move *move);

/* ---- computations (reduce.c, prefix.c) ---------------------------------------------------------------- */

typedef void mer_function(void); /* a user's function of any type; the kernel knows which */

/* src[0] op src[1] op ... op src[nelems - 1], where src is an array of block size `block' (0: indefinite) in
 * which the pointer's phase counts. */
struct mer_reduction {
    const struct mer_kernel *kernel; /* the element type's (kernel.h) */
    int op;                          /* an operation that the kernel has */
    mer_function *func;              /* for the user's operations; else null */
    bool commutes;
    enum mer_coll_sync in, out;
    const char *name;
    mer_pptr dst, src;
    size_t nelems, block;
};

/* The result goes to the object at dst.  Nothing is stored if nelems is 0. */
void mer_coll_reduce(const struct mer_reduction *r);

/* Element i of dst, laid out as src is, becomes src[0] op ... op src[i].  dst may be src. */
void mer_coll_prefix(const struct mer_reduction *r);

/* ---- common to the files of coll ----------------------------------------------------------------------- */

/* Returns the bits of the place on thread t at the native address of bits; mer_coll_on: its address in this
 * process. */
static inline mer_u64 mer_coll_bits_on(mer_u64 bits, int t) {
    return bits + (mer_u64)((mer_i64)t - (mer_i64)mer_threadof(bits)) * mer_stride();
}
static inline void *mer_coll_on(mer_u64 bits, int t) { return mer_at(mer_coll_bits_on(bits, t)); }

/* Returns the root of a broadcast, a scatter or a gather: the thread that gives all or gets all. */
static inline int mer_move_root(const struct mer_move *m) {
    return (int)mer_threadof(m->kind == MER_GATHER ? m->dst : m->src);
}

/* Returns the thread to which a permutation sends thread t's block; a fatal message if there is no such
 * thread.  t's perm is local. */
int mer_move_target(const struct mer_move *m, int t);

/* Returns how many bytes one thread may copy or compute on behalf of all, because another barrier costs more:
 * `undersubscribed' if there is a core for each thread, since a barrier then takes a fraction of a
 * microsecond; else more, because a barrier switches between all threads, a microsecond or two each. */
size_t mer_coll_little(size_t undersubscribed);

#endif
