/* The collective copies.  Each kind is a rule that gives every thread its share of the copying; the order of
 * the shares in time follows from the kind and from the requested synchronisation (coll.h). */
#include "coll/coll.h"

#include "coll/reference.h"
#include "coll/hosts.h"
#include "coll/ring.h"
#include "host/job.h"
#include "base/fatal.h"
#include "sync/barrier.h"

#include <string.h>

#define ME (mer_job.mythread)
#define THREADS (mer_job.threads)

size_t mer_coll_little(size_t undersubscribed) {
    return mer_here.oversubscribed ? (size_t)THREADS * 16384 : undersubscribed;
}

#define LITTLE 2048 /* bytes that are copied in half a crossing of a barrier */

/* Returns the most bytes that are worth another copy, into the own ring, to save the wait for the receiver:
 * with more threads than cores that wait is a switch of context, else the time in which some lines move
 * between caches. */
static size_t ring_bytes(enum mer_move_kind kind) {
    if (mer_here.oversubscribed)
        return MER_RING_BYTES;
    return kind == MER_BROADCAST || kind == MER_SCATTER ? 1024 : 256;
}

/* ---- shares ------------------------------------------------------------------------------------------- */

/* Skips a copy of an object onto itself, which mer_bytes_copy does not allow. */
static void copy(void *to, const void *from, size_t n) {
    if (to != from)
        mer_bytes_copy(to, from, n);
}

int mer_move_target(const struct mer_move *m, int t) {
    int target = *(const int *)mer_coll_on(m->perm, t);
    if (target < 0 || target >= THREADS)
        mer_fatal("%s: perm[%d] is %d, but has to be a thread, 0 to %d", m->name, t, target, THREADS - 1);
    return target;
}

/* Copies thread t's share: the blocks that t receives, or, in a gather and a permutation, the block that t
 * gives. */
static void share(const struct mer_move *m, int t) {
    size_t n = m->nbytes;
    char *own = mer_coll_on(m->dst, t);
    switch (m->kind) {
    case MER_BROADCAST:
        copy(own, mer_at(m->src), n);
        break;
    case MER_SCATTER:
        copy(own, (char *)mer_at(m->src) + (size_t)t * n, n);
        break;
    case MER_GATHER:
        copy((char *)mer_at(m->dst) + (size_t)t * n, mer_coll_on(m->src, t), n);
        break;
    case MER_GATHER_ALL: /* beginning with the own block, so that not all read from one thread at a time */
        for (int i = 0, j = t; i < THREADS; i++, j = j + 1 < THREADS ? j + 1 : 0)
            copy(own + (size_t)j * n, mer_coll_on(m->src, j), n);
        break;
    case MER_EXCHANGE:
        for (int i = 0, j = t; i < THREADS; i++, j = j + 1 < THREADS ? j + 1 : 0)
            copy(own + (size_t)j * n, (char *)mer_coll_on(m->src, j) + (size_t)t * n, n);
        break;
    case MER_PERMUTE:
        copy(mer_coll_on(m->dst, mer_move_target(m, t)), mer_coll_on(m->src, t), n);
        break;
    }
}

static void all_shares(void *context) {
    for (int t = 0; t < THREADS; t++)
        share(context, t);
}

static size_t all_bytes(const struct mer_move *m) {
    size_t bytes = m->nbytes * (size_t)THREADS;
    return m->kind == MER_GATHER_ALL || m->kind == MER_EXCHANGE ? bytes * (size_t)THREADS : bytes;
}

/* ---- one thread gives to all, or gets from all -------------------------------------------------------- */

static void wait_for_others(uint32_t step, const char *name) {
    for (int i = 1; i < THREADS; i++)
        mer_ring_wait((ME + i) % THREADS, step, name);
}

/* Broadcast and scatter of few bytes: the root leaves the data in its ring and goes on. */
static void give_little(const struct mer_move *m, int root) {
    uint32_t step = mer_ring_begin();
    size_t bytes = m->kind == MER_SCATTER ? m->nbytes * (size_t)THREADS : m->nbytes;
    if (ME == root) {
        mer_ring_fill(step, m->name);
        memcpy(mer_ring_data(ME, step, bytes), mer_at(m->src), bytes);
        mer_ring_post(step);
        share(m, ME);
    } else {
        mer_ring_wait(root, step, m->name);
        const char *data = mer_ring_data(root, step, bytes);
        memcpy(mer_coll_on(m->dst, ME), m->kind == MER_SCATTER ? data + (size_t)ME * m->nbytes : data,
               m->nbytes);
    }
}

/* Gather of few bytes: all threads except the root leave their blocks in their rings and go on. */
static void take_little(const struct mer_move *m, int root) {
    uint32_t step = mer_ring_begin();
    if (ME != root) {
        mer_ring_fill(step, m->name);
        memcpy(mer_ring_data(ME, step, m->nbytes), mer_coll_on(m->src, ME), m->nbytes);
        mer_ring_post(step);
        return;
    }
    share(m, ME);
    for (int i = 1; i < THREADS; i++) {
        int t = (ME + i) % THREADS;
        mer_ring_wait(t, step, m->name);
        memcpy((char *)mer_at(m->dst) + (size_t)t * m->nbytes, mer_ring_data(t, step, m->nbytes), m->nbytes);
    }
}

/* Every share touches only the thread's own memory and the root's.  in MY: the root has to have entered.
 * out MY: the root waits until the others have finished with its memory. */
static void rooted(const struct mer_move *m, enum mer_coll_sync in, enum mer_coll_sync out) {
    int root = (int)mer_threadof(m->kind == MER_GATHER ? m->dst : m->src);
    if (in == MER_SYNC_NO && out == MER_SYNC_NO) {
        share(m, ME);
        return;
    }
    if (m->kind == MER_GATHER && m->nbytes <= ring_bytes(m->kind)) {
        take_little(m, root);
        return;
    }
    if (m->kind != MER_GATHER &&
        m->nbytes * (m->kind == MER_SCATTER ? (size_t)THREADS : 1) <= ring_bytes(m->kind)) {
        give_little(m, root);
        return;
    }
    uint32_t step = mer_ring_begin();
    if (in == MER_SYNC_MY) {
        if (ME == root)
            mer_ring_post(step);
        else
            mer_ring_wait(root, step, m->name);
    }
    share(m, ME);
    if (out == MER_SYNC_MY) {
        if (ME != root)
            mer_ring_post(step);
        else
            wait_for_others(step, m->name);
    }
}

/* ---- everybody gives to everybody --------------------------------------------------------------------- */

/* Each thread puts its block for all others into its own ring; for an exchange all its blocks, of which each
 * receiver copies its own. */
static void mutual_little(const struct mer_move *m) {
    uint32_t step = mer_ring_begin();
    size_t n = m->nbytes, from = m->kind == MER_EXCHANGE ? (size_t)ME * n : 0;
    size_t bytes = m->kind == MER_EXCHANGE ? n * (size_t)THREADS : n;
    const char *given = mer_coll_on(m->src, ME);
    mer_ring_fill(step, m->name);
    memcpy(mer_ring_data(ME, step, bytes), given, bytes);
    mer_ring_post(step);
    char *own = mer_coll_on(m->dst, ME);
    copy(own + (size_t)ME * n, given + from, n);
    for (int i = 1; i < THREADS; i++) {
        int t = (ME + i) % THREADS;
        mer_ring_wait(t, step, m->name);
        memcpy(own + (size_t)t * n, (const char *)mer_ring_data(t, step, bytes) + from, n);
    }
}

/* Each share may touch the memory of all threads, so that MY has to wait for all threads. */
static void mutual(const struct mer_move *m, enum mer_coll_sync in, enum mer_coll_sync out) {
    bool waits = in != MER_SYNC_NO || out != MER_SYNC_NO;
    size_t given = m->kind == MER_EXCHANGE ? m->nbytes * (size_t)THREADS : m->nbytes;
    if (waits && !mer_here.oversubscribed && m->kind != MER_PERMUTE && given <= ring_bytes(m->kind)) {
        mutual_little(m);
        return;
    }
    if (waits && all_bytes(m) <= mer_coll_little(LITTLE)) {
        mer_barrier_act(m->name, 0, all_shares, (void *)m);
        return;
    }
    if (in != MER_SYNC_NO)
        mer_barrier_collective(m->name);
    share(m, ME);
    if (out != MER_SYNC_NO)
        mer_barrier_collective(m->name);
}

/* ---- the call ----------------------------------------------------------------------------------------- */

static bool is_rooted(enum mer_move_kind kind) {
    return kind == MER_BROADCAST || kind == MER_SCATTER || kind == MER_GATHER;
}

static int lead_of(const struct mer_move *m) { return is_rooted(m->kind) ? mer_move_root(m) : 0; }

void mer_coll_move(const struct mer_move *m) {
    mer_barrier_check_outside(m->name);
    if (mer_coll_by_message()) {
        (mer_job.has_remote ? mer_coll_move_hosts : mer_coll_move_reference)(m);
        return;
    }
    if (THREADS == 1) {
        share(m, 0);
        return;
    }
    enum mer_coll_sync in = m->in, out = m->out;
    if ((in == MER_SYNC_ALL || out == MER_SYNC_ALL) && all_bytes(m) <= mer_coll_little(LITTLE)) {
        mer_barrier_act(m->name, lead_of(m), all_shares, (void *)m);
        return;
    }
    if (in == MER_SYNC_ALL) {
        mer_barrier_collective(m->name);
        in = MER_SYNC_NO;
    }
    enum mer_coll_sync before_barrier = out == MER_SYNC_ALL ? MER_SYNC_NO : out;
    if (is_rooted(m->kind))
        rooted(m, in, before_barrier);
    else
        mutual(m, in, before_barrier);
    if (out == MER_SYNC_ALL)
        mer_barrier_collective(m->name);
}
