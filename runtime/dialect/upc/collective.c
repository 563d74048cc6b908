/* <upc_collective.h>, relocalisation (UPC 7.4.2), over the collective copies of coll. */
#include "dialect/upc/collective.h"

#include "host/job.h"
#include "base/fatal.h"
#include "base/record.h"
#include "base/settings.h"
#include "rma/copy.h"
#include "sync/barrier.h"

#include <stdlib.h>

void mer_upc_check_flags(const char *call, const char *where, upc_flag_t flags) {
    int in = flags & (UPC_IN_ALLSYNC | UPC_IN_MYSYNC | UPC_IN_NOSYNC);
    int out = flags & (UPC_OUT_ALLSYNC | UPC_OUT_MYSYNC | UPC_OUT_NOSYNC);
    if (flags & ~(in | out))
        mer_check_refuse(call, where, "flags is 0x%x, which is no combination of UPC_IN_ and UPC_OUT_ flags",
                         (unsigned)flags);
    if ((in & (in - 1)) || (out & (out - 1)))
        mer_check_refuse(call, where, "flags holds more than one %s flag",
                         in & (in - 1) ? "UPC_IN_" : "UPC_OUT_");
}

/* An operand with a block on each thread has to begin on thread 0. */
static void check_spread(const char *call, const char *where, const char *operand, mer_u64 bits) {
    if (mer_threadof(bits) != 0)
        mer_check_refuse(call, where,
                         "%s has affinity to thread %d, but has to begin on thread 0 (UPC 7.4.2)", operand,
                         (int)mer_threadof(bits));
}

/* Checks that perm holds each thread once (7.4.2.6 p4).  Reads it between two barriers, with any flags. */
static void check_permutation(const struct mer_move *m, const char *where) {
    if (mer_job.mythread == 0) {
        int threads = mer_job.threads, *giver = malloc((size_t)threads * sizeof *giver);
        for (int t = 0; giver && t < threads; t++)
            giver[t] = -1;
        for (int t = 0; giver && t < threads; t++) {
            int target;
            mer_rma_get(&target, m->perm + (mer_u64)(t - (int)mer_threadof(m->perm)) * mer_stride(),
                        sizeof target, m->name);
            if (target < 0 || target >= threads)
                mer_check_refuse(m->name, where, "perm[%d] is %d, but has to be a thread, 0 to %d", t, target,
                                 threads - 1);
            if (giver[target] >= 0)
                mer_check_refuse(m->name, where, "perm[%d] and perm[%d] are both %d (UPC 7.4.2.6 p4)",
                                 giver[target], t, target);
            giver[target] = t;
        }
        free(giver);
    }
    mer_barrier_collective(m->name);
}

/* MERIDIAN_CHECK=1.  Phases do not count here (7.4.2.*: "as if it has phase 0"). */
static void check(const struct mer_move *m, upc_flag_t flags) {
    struct mer_check_argument a[5] = {{"dst", MER_CHECK_POINTER, {m->dst, 0}},
                                      {"src", MER_CHECK_POINTER, {m->src, 0}},
                                      {"nbytes", MER_CHECK_SIZE, {m->nbytes, 0}},
                                      {"flags", MER_CHECK_FLAGS, {(mer_u64)flags, 0}},
                                      {"perm", MER_CHECK_POINTER, {m->perm, 0}}};
    const char *where = mer_check_alike(m->name, a, m->kind == MER_PERMUTE ? 5 : 4);
    mer_upc_check_flags(m->name, where, flags);
    if (m->nbytes == 0)
        mer_check_refuse(m->name, where, "nbytes is 0, but has to be greater (UPC 7.4.2)");
    if (m->kind != MER_GATHER)
        check_spread(m->name, where, "dst", m->dst);
    if (m->kind != MER_BROADCAST && m->kind != MER_SCATTER)
        check_spread(m->name, where, "src", m->src);
    if (m->kind == MER_PERMUTE) {
        check_spread(m->name, where, "perm", m->perm);
        check_permutation(m, where);
    }
}

/* The end of a collective in a recording: with its root, or the thread that this one's block goes to. */
static void recorded(const struct mer_move *m) {
    static const enum mer_record_kind kinds[] = {
        [MER_BROADCAST] = MER_RECORD_BROADCAST, [MER_SCATTER] = MER_RECORD_SCATTER,
        [MER_GATHER] = MER_RECORD_GATHER,       [MER_GATHER_ALL] = MER_RECORD_GATHER_ALL,
        [MER_EXCHANGE] = MER_RECORD_EXCHANGE,   [MER_PERMUTE] = MER_RECORD_PERMUTE};
    if (!mer_recording)
        return;
    bool rooted = m->kind == MER_BROADCAST || m->kind == MER_SCATTER || m->kind == MER_GATHER;
    int other = rooted ? mer_move_root(m) : m->kind == MER_PERMUTE ? mer_move_target(m, MER_MYTHREAD) : 0;
    mer_record_end(kinds[m->kind], other, m->nbytes);
}

/* Inlined, so that a recording knows the line that called the collective. */
static inline __attribute__((always_inline)) void move(enum mer_move_kind kind, const char *name,
                                                       mer_pptr dst, mer_pptr src, mer_u64 perm,
                                                       size_t nbytes, upc_flag_t flags) {
    struct mer_move m = {.kind = kind,
                         .in = mer_upc_in(flags),
                         .out = mer_upc_out(flags),
                         .name = name,
                         .dst = dst.bits,
                         .src = src.bits,
                         .perm = perm,
                         .nbytes = nbytes};
    if (__builtin_expect(!dst.bits || !src.bits || (kind == MER_PERMUTE && !perm), 0))
        mer_fatal("%s: %s is null", name, !dst.bits ? "dst" : !src.bits ? "src" : "perm");
    mer_copy_check(dst.bits, nbytes, name);
    mer_copy_check(src.bits, nbytes, name);
    if (__builtin_expect(mer_setting(CHECK) != 0, 0))
        check(&m, flags);
    mer_record_begin();
    mer_coll_move(&m);
    recorded(&m);
}

void upc_all_broadcast(mer_pptr dst, mer_pptr src, size_t nbytes, upc_flag_t flags) {
    move(MER_BROADCAST, "upc_all_broadcast", dst, src, 0, nbytes, flags);
}

void upc_all_scatter(mer_pptr dst, mer_pptr src, size_t nbytes, upc_flag_t flags) {
    move(MER_SCATTER, "upc_all_scatter", dst, src, 0, nbytes, flags);
}

void upc_all_gather(mer_pptr dst, mer_pptr src, size_t nbytes, upc_flag_t flags) {
    move(MER_GATHER, "upc_all_gather", dst, src, 0, nbytes, flags);
}

void upc_all_gather_all(mer_pptr dst, mer_pptr src, size_t nbytes, upc_flag_t flags) {
    move(MER_GATHER_ALL, "upc_all_gather_all", dst, src, 0, nbytes, flags);
}

void upc_all_exchange(mer_pptr dst, mer_pptr src, size_t nbytes, upc_flag_t flags) {
    move(MER_EXCHANGE, "upc_all_exchange", dst, src, 0, nbytes, flags);
}

void upc_all_permute(mer_pptr dst, mer_pptr src, mer_ptr perm, size_t nbytes, upc_flag_t flags) {
    move(MER_PERMUTE, "upc_all_permute", dst, src, perm.bits, nbytes, flags);
}
