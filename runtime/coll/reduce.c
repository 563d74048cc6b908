/* Reductions.
 *
 * If the operation commutes, each thread folds the elements that it owns, which lie in one piece, and leaves
 * the result in its ring slot.  The owner of the destination folds the slots in the order of the threads, so
 * that a sum of floats is the same in every run.
 *
 * If the operation does not commute, each thread folds an equal part of the array in the order of its
 * elements, whoever owns them; the slots are then joined in the order of the parts. */
#include "coll/coll.h"

#include "coll/reference.h"
#include "coll/hosts.h"
#include "coll/layout.h"
#include "coll/partial.h"
#include "host/job.h"
#include "sync/barrier.h"

#define ME (mer_job.mythread)
#define THREADS (mer_job.threads)
#define LITTLE 8192 /* bytes that one thread may as well process alone, if each thread has a core */

void mer_partial_range(struct mer_partial *p, const struct mer_reduction *r, size_t first, size_t end) {
    struct mer_walk walk = mer_walk_begin(r->src, first, r->kernel->size, r->block);
    for (size_t left = end - first; left > 0;) {
        size_t run = mer_walk_run(&walk, left);
        mer_partial_fold(p, r, mer_at(walk.at.bits), run);
        mer_walk_on(&walk, run);
        left -= run;
    }
}

static void store(const struct mer_reduction *r, const struct mer_partial *p) {
    if (p->any)
        memcpy(mer_at(r->dst.bits), &p->value, r->kernel->size);
}

static void all_serially(void *context) {
    const struct mer_reduction *r = context;
    struct mer_partial p = {0};
    if (r->commutes) {
        for (int t = 0; t < THREADS; t++) {
            mer_pptr first;
            size_t n = mer_layout_own(r->src, r->kernel->size, r->nelems, r->block, t, &first);
            mer_partial_fold(&p, r, mer_at(first.bits), n);
        }
    } else {
        mer_partial_range(&p, r, 0, r->nelems);
    }
    store(r, &p);
}

/* Returns the partial result of this thread's part. */
static struct mer_partial own_part(const struct mer_reduction *r) {
    struct mer_partial p = {0};
    if (r->commutes) {
        mer_pptr first;
        size_t n = mer_layout_own(r->src, r->kernel->size, r->nelems, r->block, ME, &first);
        mer_partial_fold(&p, r, mer_at(first.bits), n);
    } else {
        mer_partial_range(&p, r, mer_layout_part(r->nelems, ME), mer_layout_part(r->nelems, ME + 1));
    }
    return p;
}

struct joining {
    const struct mer_reduction *r;
    uint32_t step;
};

static void join_posted(void *context) {
    const struct joining *j = context;
    struct mer_partial p = {0};
    for (int t = 0; t < THREADS; t++)
        mer_partial_join(&p, j->r, mer_ring_slot(t, j->step));
    store(j->r, &p);
}

/* Reduces in parts, once the elements may be read. */
static void in_parts(const struct mer_reduction *r, bool ends_with_barrier) {
    int root = (int)mer_threadof(r->dst.bits);
    struct mer_partial p = own_part(r);
    uint32_t step = mer_ring_begin();
    if (ME != root || ends_with_barrier) {
        mer_partial_put(mer_ring_fill(step, r->name), &p);
        mer_ring_post(step);
    }
    if (ends_with_barrier) {
        struct joining joining = {r, step};
        mer_barrier_act(r->name, root, join_posted, &joining);
    } else if (ME == root) {
        struct mer_partial all = {0};
        for (int t = 0; t < THREADS; t++) {
            if (t != root)
                mer_partial_join(&all, r, mer_ring_wait(t, step, r->name));
            else
                mer_partial_follow(&all, r, &p);
        }
        store(r, &all);
    }
}

void mer_coll_reduce(const struct mer_reduction *r) {
    mer_barrier_check_outside(r->name);
    if (mer_coll_by_message()) {
        (mer_job.has_remote ? mer_coll_reduce_hosts : mer_coll_reduce_reference)(r);
        return;
    }
    enum mer_coll_sync in = r->in, out = r->out;
    if (!r->commutes) { /* any thread may own elements of a part: MY has to wait for all threads */
        in = in == MER_SYNC_NO ? in : MER_SYNC_ALL;
        out = out == MER_SYNC_NO ? out : MER_SYNC_ALL;
    }
    if (THREADS == 1) {
        all_serially((void *)r);
        return;
    }
    bool waits_for_all = in == MER_SYNC_ALL || out == MER_SYNC_ALL;
    if (waits_for_all && r->nelems <= mer_coll_little(LITTLE) / r->kernel->size) {
        mer_barrier_act(r->name, (int)mer_threadof(r->dst.bits), all_serially, (void *)r);
        return;
    }
    if (in == MER_SYNC_ALL)
        mer_barrier_collective(r->name);
    in_parts(r, out == MER_SYNC_ALL);
}
