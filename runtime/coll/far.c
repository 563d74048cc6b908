/* See far.h.  Copies: each thread fetches what comes to it, or, where one thread gets all, brings what it
 * has; a broadcast goes down the tree.  Computations: what each thread makes of its part goes up the tree, in
 * the order of the parts; a prefix also comes down, as what stands before each part.  Parts are the own
 * elements where the operation commutes, else equal pieces of the array, whose elements are fetched. */
#include "coll/far.h"

#include "am/am.h"
#include "coll/layout.h"
#include "coll/partial.h"
#include "core/message.h"
#include "rma/copy.h"
#include "sync/barrier.h"

#define ME mer_job.mythread
#define THREADS mer_job.threads
#define BUFFER 4096 /* bytes of elements fetched at a time */

/* ---- copies ----------------------------------------------------------------------------------------------
 */

/* The bits of the place on thread t at the native address of bits. */
static mer_u64 on(mer_u64 bits, int t) {
    return bits + (mer_u64)((mer_i64)t - (mer_i64)mer_threadof(bits)) * mer_stride();
}

static void broadcast(const struct mer_move *m) {
    int root = (int)mer_threadof(m->src);
    void *own = mer_coll_on(m->dst, ME);
    if (ME == root)
        memmove(own, mer_at(m->src), m->nbytes);
    mer_tree_broadcast(own, m->nbytes, root);
}

/* Begin this thread's share; other threads' blocks in an order in which not all ask the same one. */
static void share(const struct mer_move *m, int *counter) {
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
    case MER_PERMUTE: {
        int target = *(const int *)mer_coll_on(m->perm, ME);
        if (target < 0 || target >= THREADS)
            mer_fatal("%s: perm[%d] is %d, but has to be a thread, 0 to %d", m->name, ME, target,
                      THREADS - 1);
        mer_rma_copy_begin(on(m->dst, target), on(m->src, ME), n, counter, m->name);
        break;
    }
    }
}

void mer_coll_move_far(const struct mer_move *m) {
    int counter = 0;
    mer_barrier_collective(m->name);
    share(m, &counter);
    mer_am_wait_counter(&counter);
    mer_barrier_collective(m->name);
}

/* ---- computations ----------------------------------------------------------------------------------------
 */

/* Fetch as many elements of a run that begins at bits as the buffer holds; how many. */
static size_t fetch(const struct mer_reduction *r, mer_u64 bits, size_t run, unsigned char buffer[BUFFER]) {
    size_t most = BUFFER / r->kernel->size;
    if (run > most)
        run = most;
    mer_rma_get(buffer, bits, run * r->kernel->size, r->name);
    return run;
}

/* p op= elements first ... end - 1; stores: each of dst becomes what p is then. */
static void walk(struct mer_partial *p, const struct mer_reduction *r, size_t first, size_t end,
                 bool stores) {
    _Alignas(16) unsigned char buffer[BUFFER];
    struct mer_walk from = mer_walk_begin(r->src, first, r->kernel->size, r->block);
    struct mer_walk to = mer_walk_begin(r->dst, first, r->kernel->size, r->block);
    for (size_t left = end - first; left > 0;) {
        size_t run = mer_walk_run(&from, left);
        if (stores)
            run = mer_walk_run(&to, run);
        run = fetch(r, from.at.bits, run, buffer);
        if (stores) {
            mer_partial_scan(p, r, buffer, buffer, run);
            mer_rma_put(to.at.bits, buffer, run * r->kernel->size, r->name);
            mer_walk_on(&to, run);
        } else {
            mer_partial_fold(p, r, buffer, run);
        }
        mer_walk_on(&from, run);
        left -= run;
    }
}

/* Where the part of thread t begins, of equal parts. */
static size_t part_start(const struct mer_reduction *r, int t) {
    size_t each = r->nelems / (size_t)THREADS, more = r->nelems % (size_t)THREADS;
    return each * (size_t)t + ((size_t)t < more ? (size_t)t : more);
}

/* What goes up and down: the value of some parts, and of all of these but the last. */
struct span {
    struct mer_partial all, before_last;
};

static void join(struct mer_partial *p, const struct mer_partial *next, const struct mer_reduction *r) {
    if (next->any)
        mer_partial_fold(p, r, &next->value, 1);
}

static void combine(void *into, const void *value, const void *context) {
    struct span left, right;
    const struct mer_reduction *r = context;
    memcpy(&left, into, sizeof left);
    memcpy(&right, value, sizeof right);
    left.before_last = left.all;
    join(&left.before_last, &right.before_last, r);
    join(&left.all, &right.all, r);
    memcpy(into, &left, sizeof left);
}

void mer_coll_reduce_far(const struct mer_reduction *r) {
    struct span s;
    memset(&s, 0, sizeof s);
    mer_barrier_collective(r->name);
    if (r->commutes) {
        mer_pptr first;
        size_t n = mer_layout_own(r->src, r->kernel->size, r->nelems, r->block, ME, &first);
        mer_partial_fold(&s.all, r, mer_at(first.bits), n);
    } else {
        walk(&s.all, r, part_start(r, ME), part_start(r, ME + 1), false);
    }
    mer_tree_reduce(&s, sizeof s, combine, r, false);
    if (ME == 0 && s.all.any)
        mer_rma_put(r->dst.bits, &s.all.value, r->kernel->size, r->name);
    mer_barrier_collective(r->name);
}

void mer_coll_prefix_far(const struct mer_reduction *r) {
    struct span s;
    memset(&s, 0, sizeof s);
    size_t first = part_start(r, ME), end = part_start(r, ME + 1);
    mer_barrier_collective(r->name);
    walk(&s.all, r, first, end, false);
    mer_tree_scan(&s, sizeof s, combine, r);
    mer_barrier_collective(r->name); /* dst may be src, whose elements all have read now */
    walk(&s.before_last, r, first, end, true);
    mer_barrier_collective(r->name);
}
