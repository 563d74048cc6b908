/* See hosts.h.
 *
 * How many crossings.  What a thread shares in a barrier all others have when they leave it.  So a call in
 * which each thread gives what is its own, and takes what comes to it, is one crossing; ALL before it is one
 * more, since others may have written what a thread gives, and ALL behind it, since it is not over before the
 * last has taken.  Each is the time of one message from host to host.
 *
 * Much data do not go through the barrier.  Each thread fetches what comes to it, all parts under way at a
 * time; of a broadcast the threads of a host fetch a part each, and copy the others' parts from each other.
 */
#include "coll/hosts.h"

#include "am/am.h"
#include "coll/layout.h"
#include "coll/partial.h"
#include "core/hosts.h"
#include "core/job.h"
#include "core/message.h"
#include "rma/copy.h"
#include "sync/barrier.h"

#define ME mer_job.mythread
#define THREADS mer_job.threads
#define LITTLE 1024   /* bytes that a thread shares, where others do not need all of them */
#define BUFFER 16384U /* bytes of elements under way at a time */

/* The bits of the place on thread t at the native address of bits. */
static mer_u64 on(mer_u64 bits, int t) {
    return bits + (mer_u64)((mer_i64)t - (mer_i64)mer_threadof(bits)) * mer_stride();
}

/* ---- little: shared in the barrier
 * ------------------------------------------------------------------------------ */

static int root_of(const struct mer_move *m) {
    return (int)mer_threadof(m->kind == MER_GATHER ? m->dst : m->src);
}

/* What thread t shares. */
static size_t shared_bytes(const struct mer_move *m, int t) {
    size_t n = m->nbytes, all = n * (size_t)THREADS;
    switch (m->kind) {
    case MER_BROADCAST:
        return t == root_of(m) ? n : 0;
    case MER_SCATTER:
        return t == root_of(m) ? all : 0;
    case MER_EXCHANGE:
        return all;
    case MER_PERMUTE:
        return sizeof(int) + n;
    default:
        return n;
    }
}

static bool is_little(const struct mer_move *m) {
    size_t most = mer_barrier_share_most(), n = shared_bytes(m, root_of(m));
    if (m->kind != MER_BROADCAST && m->kind != MER_GATHER_ALL && most > LITTLE)
        most = LITTLE;
    return m->nbytes <= most && n <= most;
}

static int target_of(const struct mer_move *m) {
    int target = *(const int *)mer_at(on(m->perm, ME));
    if (target < 0 || target >= THREADS)
        mer_fatal("%s: perm[%d] is %d, but has to be a thread, 0 to %d", m->name, ME, target, THREADS - 1);
    return target;
}

static void take(void *to, const void *from, size_t n) {
    if (to != from)
        memcpy(to, from, n);
}

/* Take what comes to this thread of what all have shared. */
static void take_shared(const struct mer_move *m) {
    size_t n = m->nbytes, mine = (size_t)ME * n;
    char *own = mer_at(on(m->dst, ME));
    switch (m->kind) {
    case MER_BROADCAST:
        memcpy(own, mer_barrier_shared(root_of(m)), n);
        break;
    case MER_SCATTER:
        memcpy(own, (const char *)mer_barrier_shared(root_of(m)) + mine, n);
        break;
    case MER_GATHER:
        for (int t = 0; ME == root_of(m) && t < THREADS; t++)
            memcpy((char *)mer_at(m->dst) + (size_t)t * n, mer_barrier_shared(t), n);
        break;
    case MER_GATHER_ALL:
        for (int t = 0; t < THREADS; t++)
            memcpy(own + (size_t)t * n, mer_barrier_shared(t), n);
        break;
    case MER_EXCHANGE:
        for (int t = 0; t < THREADS; t++)
            memcpy(own + (size_t)t * n, (const char *)mer_barrier_shared(t) + mine, n);
        break;
    case MER_PERMUTE:
        for (int t = 0, target; t < THREADS; t++) {
            memcpy(&target, mer_barrier_shared(t), sizeof target);
            if (target == ME)
                memcpy(own, (const char *)mer_barrier_shared(t) + sizeof target, n);
        }
        break;
    }
}

static void move_little(const struct mer_move *m) {
    unsigned char with_target[sizeof(int) + LITTLE];
    const void *given = m->kind == MER_BROADCAST || m->kind == MER_SCATTER ? mer_at(m->src)
                                                                           : mer_at(on(m->src, ME));
    size_t n = shared_bytes(m, ME);
    if (m->kind == MER_PERMUTE) {
        int target = target_of(m);
        memcpy(with_target, &target, sizeof target);
        memcpy(with_target + sizeof target, given, m->nbytes);
        given = with_target;
    }
    mer_barrier_share(m->name, given, n);
    take_shared(m);
}

/* ---- much: fetched
 * ---------------------------------------------------------------------------------------------- */

/* Where part i of n bytes, in as many parts as this host has threads, begins; in whole lines. */
static size_t part_start(size_t n, int i) {
    size_t each = (n / (size_t)mer_job.here + 63) / 64 * 64, start = each * (size_t)i;
    return i == mer_job.here || start > n ? n : start;
}

static void broadcast(const struct mer_move *m) {
    char *own = mer_at(on(m->dst, ME));
    if (mer_on_host(root_of(m))) {
        take(own, mer_at(m->src), m->nbytes);
        return;
    }
    int rank = ME - mer_job.here_first;
    size_t start = part_start(m->nbytes, rank), end = part_start(m->nbytes, rank + 1);
    mer_rma_get(own + start, m->src + start, end - start, m->name);
    mer_barrier_host(m->name);
    for (int i = 1; i < mer_job.here; i++) {
        int other = (rank + i) % mer_job.here;
        start = part_start(m->nbytes, other);
        end = part_start(m->nbytes, other + 1);
        memcpy(own + start, (char *)mer_at(on(m->dst, mer_job.here_first + other)) + start, end - start);
    }
}

/* Begin this thread's share; other threads' blocks in an order in which not all ask the same one. */
static void begin_share(const struct mer_move *m, int *counter) {
    size_t n = m->nbytes;
    mer_u64 to = on(m->dst, ME);
    switch (m->kind) {
    case MER_BROADCAST:
        broadcast(m);
        break;
    case MER_SCATTER:
        mer_rma_copy_begin(to, m->src + (size_t)ME * n, n, counter, m->name);
        break;
    case MER_GATHER:
        mer_rma_copy_begin(m->dst + (size_t)ME * n, on(m->src, ME), n, counter, m->name);
        break;
    case MER_GATHER_ALL:
    case MER_EXCHANGE:
        for (int i = 0; i < THREADS; i++) {
            int t = (ME + i) % THREADS;
            size_t block = m->kind == MER_EXCHANGE ? (size_t)ME * n : 0;
            mer_rma_copy_begin(to + (size_t)t * n, on(m->src, t) + block, n, counter, m->name);
        }
        break;
    case MER_PERMUTE:
        mer_rma_copy_begin(on(m->dst, target_of(m)), on(m->src, ME), n, counter, m->name);
        break;
    }
}

static void move_much(const struct mer_move *m) {
    int counter = 0;
    if (m->in == MER_SYNC_MY)
        mer_barrier_collective(m->name);
    begin_share(m, &counter);
    mer_am_wait_counter(&counter);
    if (m->out == MER_SYNC_MY)
        mer_barrier_collective(m->name);
}

void mer_coll_move_hosts(const struct mer_move *m) {
    if (m->in == MER_SYNC_ALL)
        mer_barrier_collective(m->name);
    if (is_little(m))
        move_little(m);
    else
        move_much(m);
    if (m->out == MER_SYNC_ALL)
        mer_barrier_collective(m->name);
}

/* ---- computations
 * ----------------------------------------------------------------------------------------------- */

/* A batch of elements that follow each other in the array, wherever they lie. */
struct batch {
    struct mer_walk walk;
    _Alignas(16) unsigned char bytes[BUFFER];
};

/* Fetch the next elements, `left' at most; how many.  The walk stays where they begin. */
static size_t fetch(struct batch *b, const struct mer_reduction *r, size_t left) {
    size_t size = r->kernel->size, most = BUFFER / size, have = 0;
    struct mer_walk walk = b->walk;
    int counter = 0;
    if (left > most)
        left = most;
    while (have < left) {
        size_t run = mer_walk_run(&walk, left - have);
        mer_rma_get_begin(b->bytes + have * size, walk.at.bits, run * size, &counter, r->name);
        mer_walk_on(&walk, run);
        have += run;
    }
    mer_am_wait_counter(&counter);
    b->walk = walk;
    return have;
}

/* Store n elements, and go on behind them. */
static void store(struct mer_walk *walk, const struct mer_reduction *r, const unsigned char *bytes,
                  size_t n) {
    size_t size = r->kernel->size;
    int counter = 0;
    for (size_t done = 0, run; done < n; done += run) {
        run = mer_walk_run(walk, n - done);
        mer_rma_put_begin(walk->at.bits, bytes + done * size, run * size, &counter, r->name);
        mer_walk_on(walk, run);
    }
    mer_am_wait_counter(&counter);
}

/* p op= elements first ... end - 1; stores: each of dst becomes what p is then. */
static void walk(struct mer_partial *p, const struct mer_reduction *r, size_t first, size_t end,
                 bool stores) {
    struct batch batch;
    struct mer_walk to = mer_walk_begin(r->dst, first, r->kernel->size, r->block);
    batch.walk = mer_walk_begin(r->src, first, r->kernel->size, r->block);
    for (size_t left = end - first, n; left > 0; left -= n) {
        n = fetch(&batch, r, left);
        if (stores) {
            mer_partial_scan(p, r, batch.bytes, batch.bytes, n);
            store(&to, r, batch.bytes, n);
        } else {
            mer_partial_fold(p, r, batch.bytes, n);
        }
    }
}

/* Where the part of thread t begins, of equal parts. */
static size_t element_start(const struct mer_reduction *r, int t) {
    size_t each = r->nelems / (size_t)THREADS, more = r->nelems % (size_t)THREADS;
    return each * (size_t)t + ((size_t)t < more ? (size_t)t : more);
}

/* p op= the parts of the threads from `first' to `end' - 1, as they have shared them. */
static void join_shared(struct mer_partial *p, const struct mer_reduction *r, int first, int end) {
    for (int t = first; t < end; t++) {
        struct mer_partial part;
        memcpy(&part, mer_barrier_shared(t), sizeof part);
        if (part.any)
            mer_partial_fold(p, r, &part.value, 1);
    }
}

void mer_coll_reduce_hosts(const struct mer_reduction *r) {
    struct mer_partial p, all;
    memset(&p, 0, sizeof p);
    memset(&all, 0, sizeof all);
    if (r->in == MER_SYNC_ALL || (!r->commutes && r->in == MER_SYNC_MY))
        mer_barrier_collective(r->name);
    if (r->commutes) {
        mer_pptr first;
        size_t n = mer_layout_own(r->src, r->kernel->size, r->nelems, r->block, ME, &first);
        mer_partial_fold(&p, r, mer_at(first.bits), n);
    } else {
        walk(&p, r, element_start(r, ME), element_start(r, ME + 1), false);
    }
    mer_barrier_share(r->name, &p, sizeof p);
    if (ME == (int)mer_threadof(r->dst.bits)) {
        join_shared(&all, r, 0, THREADS);
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
    size_t first = element_start(r, ME), end = element_start(r, ME + 1);
    if (r->in != MER_SYNC_NO)
        mer_barrier_collective(r->name);
    walk(&p, r, first, end, false);
    mer_barrier_share(r->name, &p, sizeof p); /* dst may be src, whose elements all have read now */
    join_shared(&before, r, 0, ME);
    walk(&before, r, first, end, true);
    if (r->out != MER_SYNC_NO)
        mer_barrier_collective(r->name);
}
