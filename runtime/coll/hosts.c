/* See hosts.h.
 *
 * Crossings of the network.  When a thread leaves a barrier, it has all contributions to the allgather in
 * it.  So a call in which each thread contributes its data, and then copies the blocks that it receives,
 * takes one barrier, which is the time of one message from host to host.  ALL on the way out takes one more,
 * since the call ends only when the last thread has copied.
 *
 * ALL on the way in would take another barrier, since until a thread enters the call it may write data that
 * another thread contributes.  Most calls save that barrier.  The threads of a host wait for each other,
 * since their writes to their own host's memory are not recorded.  They contribute their data, and learn with
 * the others' whether any thread has written to another host's memory since the last barrier
 * (mer_barrier_allgather_early).  If so, they contribute once more, which is right then, as all have entered.
 *
 * Large data do not go through the barrier.  Each thread fetches the blocks that it receives, all under way
 * at the same time.  In a broadcast, each thread of a host fetches a part and copies the other parts from the
 * other threads of its host.  With three or more hosts a large object leaves the root's host once.
 */
#include "coll/hosts.h"

#include "am/am.h"
#include "coll/layout.h"
#include "coll/message.h"
#include "coll/partial.h"
#include "host/hosts.h"
#include "host/job.h"
#include "rma/copy.h"
#include "sync/barrier.h"

#define ME mer_job.mythread
#define THREADS mer_job.threads
#define WORTH_SPREADING 32768 /* bytes of a part that are worth one more crossing */
#define MOST_EARLY 65536      /* bytes of a thread that are read before all have entered */

/* ---- few bytes: by the allgather in the barrier -------------------------------------------------------- */

/* Returns the bytes that thread t contributes. */
static size_t contributed(const struct mer_move *m, int t) {
    size_t n = m->nbytes, all = n * (size_t)THREADS;
    switch (m->kind) {
    case MER_BROADCAST:
        return t == mer_move_root(m) ? n : 0;
    case MER_SCATTER:
        return t == mer_move_root(m) ? all : 0;
    case MER_EXCHANGE:
        return all;
    case MER_PERMUTE:
        return sizeof(int) + n;
    default:
        return n;
    }
}

static bool is_little(const struct mer_move *m) {
    size_t n = contributed(m, mer_move_root(m));
    bool all_need_them = m->kind == MER_BROADCAST || m->kind == MER_GATHER_ALL;
    return mer_barrier_allgather_pays(n > m->nbytes ? n : m->nbytes, all_need_them);
}

/* The buffer of a `give', a function that returns a thread's contribution: n bytes, of its own memory or in
 * *buffer. */
union given {
    struct mer_partial part;
    unsigned char with_target[MER_ALLGATHER_FEW];
};
typedef const void *give(const void *call, union given *buffer, size_t *n);

/* Contribute the bytes that `of' returns; all: as they are when all threads have entered. */
static void contribute(const char *name, bool all, give *of, const void *call) {
    union given buffer;
    size_t n;
    if (all) {
        mer_barrier_host(name);
        const void *given = of(call, &buffer, &n);
        if (mer_barrier_allgather_early(name, given, n))
            return;
    }
    const void *given = of(call, &buffer, &n);
    mer_barrier_allgather(name, given, n);
}

/* Copy the blocks that this thread receives from the contributions. */
static void take_contributed(const struct mer_move *m) {
    size_t n = m->nbytes, mine = (size_t)ME * n;
    char *own = mer_coll_on(m->dst, ME);
    switch (m->kind) {
    case MER_BROADCAST:
        memcpy(own, mer_barrier_gathered(mer_move_root(m)), n);
        break;
    case MER_SCATTER:
        memcpy(own, (const char *)mer_barrier_gathered(mer_move_root(m)) + mine, n);
        break;
    case MER_GATHER:
        for (int t = 0; ME == mer_move_root(m) && t < THREADS; t++)
            memcpy((char *)mer_at(m->dst) + (size_t)t * n, mer_barrier_gathered(t), n);
        break;
    case MER_GATHER_ALL:
        for (int t = 0; t < THREADS; t++)
            memcpy(own + (size_t)t * n, mer_barrier_gathered(t), n);
        break;
    case MER_EXCHANGE:
        for (int t = 0; t < THREADS; t++)
            memcpy(own + (size_t)t * n, (const char *)mer_barrier_gathered(t) + mine, n);
        break;
    case MER_PERMUTE:
        for (int t = 0, target; t < THREADS; t++) {
            memcpy(&target, mer_barrier_gathered(t), sizeof target);
            if (target == ME)
                memcpy(own, (const char *)mer_barrier_gathered(t) + sizeof target, n);
        }
        break;
    }
}

static const void *give_block(const void *call, union given *buffer, size_t *n) {
    const struct mer_move *m = call;
    *n = contributed(m, ME);
    if (m->kind == MER_BROADCAST || m->kind == MER_SCATTER)
        return mer_at(m->src);
    const void *own = mer_coll_on(m->src, ME);
    if (m->kind != MER_PERMUTE)
        return own;
    int target = mer_move_target(m, ME);
    memcpy(buffer->with_target, &target, sizeof target);
    memcpy(buffer->with_target + sizeof target, own, m->nbytes);
    return buffer->with_target;
}

static void move_little(const struct mer_move *m) {
    contribute(m->name, m->in == MER_SYNC_ALL, give_block, m);
    take_contributed(m);
}

/* ---- many bytes: fetched ------------------------------------------------------------------------------- */

/* Returns the first byte of part i, if n bytes are divided into so many parts of whole lines. */
static size_t part_start(size_t n, int i, int parts) {
    size_t each = (n / (size_t)parts + 63) / 64 * 64, start = each * (size_t)i;
    return i == parts || start > n ? n : start;
}

/* Fetches part i of the broadcast object into this thread's.  from: bits of the first byte of the object that
 * is read, the root's or that of a thread that has fetched the part. */
static void fetch_part(const struct mer_move *m, mer_u64 from, int i, int parts, int *counter) {
    size_t start = part_start(m->nbytes, i, parts), n = part_start(m->nbytes, i + 1, parts) - start;
    mer_rma_get_begin((char *)mer_coll_on(m->dst, ME) + start, from + start, n, counter, m->name);
}

/* Copies part i from this host's thread of that rank, which has fetched it. */
static void copy_part(const struct mer_move *m, int rank, int i, int parts) {
    size_t start = part_start(m->nbytes, i, parts), n = part_start(m->nbytes, i + 1, parts) - start;
    memcpy((char *)mer_coll_on(m->dst, ME) + start,
           (char *)mer_coll_on(m->dst, mer_job.here_first + rank) + start, n);
}

/* Copies the whole object on the root's host, where it is local. */
static void copy_whole(const struct mer_move *m) {
    char *own = mer_coll_on(m->dst, ME);
    if (own != mer_at(m->src)) /* memcpy must not copy an object onto itself */
        memcpy(own, mer_at(m->src), m->nbytes);
}

/* Each host fetches the whole object from the root's host. */
static void broadcast(const struct mer_move *m) {
    int rank = ME - mer_job.here_first, parts = mer_job.here, counter = 0;
    if (mer_on_host(mer_move_root(m))) {
        copy_whole(m);
        return;
    }
    fetch_part(m, m->src, rank, parts, &counter);
    mer_am_wait_counter(&counter);
    mer_barrier_host(m->name);
    for (int i = 1; i < parts; i++)
        copy_part(m, (rank + i) % parts, (rank + i) % parts, parts);
}

/* Each thread on another host than the root's fetches one part from the root, and the hosts fetch the rest
 * from each other: the root's host sends the object once, not once a host. */
static void broadcast_spread(const struct mer_move *m, int first, int end) {
    int gap = end - first, parts = THREADS - gap, counter = 0;
    if (mer_on_host(first)) {
        copy_whole(m);
        mer_barrier_collective(m->name);
        return;
    }
    int here = mer_job.here, rank = ME - mer_job.here_first;
    int mine = ME < first ? ME : ME - gap, host = mine - rank; /* threads of other hosts number the parts */
    fetch_part(m, m->src, mine, parts, &counter);
    mer_am_wait_counter(&counter);
    mer_barrier_collective(m->name);
    for (int k = here; k < parts; k++) { /* each host begins with the parts of the next one */
        int i = (host + k) % parts;
        if (i % here == rank)
            fetch_part(m, mer_coll_bits_on(m->dst, i < first ? i : i + gap), i, parts, &counter);
    }
    mer_am_wait_counter(&counter);
    mer_barrier_host(m->name);
    for (int i = 0; i < parts; i++) {
        int holder = i >= host && i < host + here ? i - host : i % here;
        if (holder != rank)
            copy_part(m, holder, i, parts);
    }
}

static void broadcast_much(const struct mer_move *m) {
    int host = mer_host_of(mer_move_root(m)), first = mer_hosts.first[host], end = mer_hosts.first[host + 1];
    size_t parts = (size_t)(THREADS - (end - first));
    if (mer_hosts.count > 2 && m->nbytes / parts >= WORTH_SPREADING)
        broadcast_spread(m, first, end);
    else
        broadcast(m);
}

static void move_much(const struct mer_move *m) {
    int counter = 0;
    if (m->in != MER_SYNC_NO)
        mer_barrier_collective(m->name);
    if (m->kind == MER_BROADCAST)
        broadcast_much(m);
    else
        mer_message_share(m, &counter);
    mer_am_wait_counter(&counter);
    if (m->out == MER_SYNC_MY)
        mer_barrier_collective(m->name);
}

void mer_coll_move_hosts(const struct mer_move *m) {
    if (is_little(m))
        move_little(m);
    else
        move_much(m);
    if (m->out == MER_SYNC_ALL)
        mer_barrier_collective(m->name);
}

/* ---- computations -------------------------------------------------------------------------------------- */

/* p op= the parts that the threads from `first' to `end' - 1 have contributed. */
static void join_contributed(struct mer_partial *p, const struct mer_reduction *r, int first, int end) {
    for (int t = first; t < end; t++) {
        struct mer_partial part;
        memcpy(&part, mer_barrier_gathered(t), sizeof part);
        mer_partial_follow(p, r, &part);
    }
}

static const void *give_part(const void *call, union given *buffer, size_t *n) {
    memset(&buffer->part, 0, sizeof buffer->part);
    mer_message_part(&buffer->part, call);
    *n = sizeof buffer->part;
    return &buffer->part;
}

void mer_coll_reduce_hosts(const struct mer_reduction *r) {
    struct mer_partial all;
    memset(&all, 0, sizeof all);
    /* Cheap enough to compute again, and no function of the user, which might fail on half-written data. */
    bool can_be_early = r->commutes && !r->func && r->nelems * r->kernel->size < MOST_EARLY * (size_t)THREADS;
    bool after_all = r->in == MER_SYNC_ALL || (!r->commutes && r->in == MER_SYNC_MY);
    if (after_all && !can_be_early)
        mer_barrier_collective(r->name);
    contribute(r->name, after_all && can_be_early, give_part, r);
    if (ME == (int)mer_threadof(r->dst.bits)) {
        join_contributed(&all, r, 0, THREADS);
        if (all.any)
            memcpy(mer_at(r->dst.bits), &all.value, r->kernel->size);
    }
    if (r->out == MER_SYNC_ALL)
        mer_barrier_collective(r->name);
}

void mer_coll_prefix_hosts(const struct mer_reduction *r) {
    struct mer_partial p, before;
    memset(&p, 0, sizeof p);
    memset(&before, 0, sizeof before);
    size_t first = mer_layout_part(r->nelems, ME), end = mer_layout_part(r->nelems, ME + 1);
    if (r->in != MER_SYNC_NO)
        mer_barrier_collective(r->name);
    mer_message_walk(&p, r, first, end, false);
    mer_barrier_allgather(r->name, &p, sizeof p); /* dst may be src, whose elements all have read now */
    join_contributed(&before, r, 0, ME);
    mer_message_walk(&before, r, first, end, true);
    if (r->out != MER_SYNC_NO)
        mer_barrier_collective(r->name);
}
