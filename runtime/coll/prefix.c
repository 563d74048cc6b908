/* Prefix reductions.
 *
 * The array is cut into a piece for each thread, in the order of its elements.  Each thread folds its piece
 * and leaves the result in its ring slot; joins the slots of the pieces before its own; and walks its piece a
 * second time, storing.  If the array has no more blocks than there are threads, each block is a piece, and
 * its owner folds it, so that every thread touches only its own memory; else the pieces are equal, whoever
 * owns them.  No operation needs to commute for this. */
#include "coll/coll.h"

#include "coll/reference.h"
#include "coll/hosts.h"
#include "coll/layout.h"
#include "coll/partial.h"
#include "host/job.h"
#include "sync/barrier.h"

#define ME (mer_job.mythread)
#define THREADS (mer_job.threads)
#define MOST_SLOTS 64 /* that each thread may read; with more threads one thread reads them for all */
#define LITTLE 4096   /* bytes that one thread may as well process alone, if each thread has a core */

/* Store the prefixes of elements first ... end - 1; p is the value of all elements before them. */
static void scan_range(struct mer_partial *p, const struct mer_reduction *r, size_t first, size_t end) {
    struct mer_walk from = mer_walk_begin(r->src, first, r->kernel->size, r->block);
    struct mer_walk to = mer_walk_begin(r->dst, first, r->kernel->size, r->block);
    for (size_t left = end - first; left > 0;) {
        size_t run = mer_walk_run(&to, mer_walk_run(&from, left));
        mer_partial_scan(p, r, mer_at(to.at.bits), mer_at(from.at.bits), run);
        mer_walk_on(&from, run);
        mer_walk_on(&to, run);
        left -= run;
    }
}

static void all_serially(void *context) {
    const struct mer_reduction *r = context;
    struct mer_partial p = {0};
    scan_range(&p, r, 0, r->nelems);
}

/* The pieces: piece `rank' is processed by thread (start + rank) % THREADS. */
struct pieces {
    bool own; /* each piece is a block, processed by its owner */
    int start;
};

static struct pieces cut(const struct mer_reduction *r) {
    struct pieces c = {.start = (int)mer_threadof(r->src.bits)};
    c.own = r->block && mer_layout_blocks(r->src, r->nelems, r->block) <= (size_t)THREADS;
    return c;
}

static int thread_of_piece(const struct pieces *c, int rank) {
    return c->start + rank < THREADS ? c->start + rank : c->start + rank - THREADS;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Returns the first element of piece `rank'; nelems for piece THREADS. */
static size_t piece_start(const struct mer_reduction *r, const struct pieces *c, size_t rank) {
    if (c->own)
        return rank == 0 ? 0 : least(rank * r->block - mer_layout_phase(r->src, r->block), r->nelems);
    return mer_layout_part(r->nelems, (int)rank);
}

/* Replace each posted slot by the value of all pieces before it: one thread for all, in a barrier. */
struct carrying {
    const struct mer_reduction *r;
    const struct pieces *pieces;
    uint32_t step;
};

static void carry_all(void *context) {
    const struct carrying *c = context;
    struct mer_partial before = {0};
    for (int rank = 0; rank < THREADS; rank++) {
        struct mer_ring_slot *slot = mer_ring_slot(thread_of_piece(c->pieces, rank), c->step);
        struct mer_partial next = before;
        mer_partial_join(&next, c->r, slot);
        mer_partial_put(slot, &before);
        before = next;
    }
}

static void in_pieces(const struct mer_reduction *r, const struct pieces *c, bool by_barrier) {
    int rank = ME >= c->start ? ME - c->start : ME - c->start + THREADS;
    size_t first = piece_start(r, c, (size_t)rank), end = piece_start(r, c, (size_t)rank + 1);
    struct mer_partial piece = {0}, before = {0};
    uint32_t step = mer_ring_begin();
    if (rank < THREADS - 1 || by_barrier) { /* no piece follows the last one, so nobody needs its value */
        if (rank < THREADS - 1)
            mer_partial_range(&piece, r, first, end);
        mer_partial_put(mer_ring_fill(step, r->name), &piece);
        mer_ring_post(step);
    }
    if (by_barrier) {
        struct carrying carrying = {r, c, step};
        mer_barrier_act(r->name, c->start, carry_all, &carrying);
        mer_partial_join(&before, r, mer_ring_slot(ME, step));
    } else {
        for (int i = 0; i < rank; i++)
            mer_partial_join(&before, r, mer_ring_wait(thread_of_piece(c, i), step, r->name));
    }
    scan_range(&before, r, first, end);
}

void mer_coll_prefix(const struct mer_reduction *r) {
    mer_barrier_check_outside(r->name);
    if (mer_coll_by_message()) {
        (mer_job.has_remote ? mer_coll_prefix_hosts : mer_coll_prefix_reference)(r);
        return;
    }
    if (THREADS == 1) {
        all_serially((void *)r);
        return;
    }
    struct pieces c = cut(r);
    enum mer_coll_sync in = r->in, out = r->out;
    if (!c.own) { /* any thread may own elements of a piece: MY has to wait for all threads */
        in = in == MER_SYNC_NO ? in : MER_SYNC_ALL;
        out = out == MER_SYNC_NO ? out : MER_SYNC_ALL;
    }
    bool waits_for_all = in == MER_SYNC_ALL || out == MER_SYNC_ALL;
    if (waits_for_all && r->nelems <= mer_coll_little(LITTLE) / r->kernel->size) {
        mer_barrier_act(r->name, c.start, all_serially, (void *)r);
        return;
    }
    if (in == MER_SYNC_ALL)
        mer_barrier_collective(r->name);
    in_pieces(r, &c, THREADS > MOST_SLOTS || (waits_for_all && mer_here.oversubscribed));
    if (out == MER_SYNC_ALL)
        mer_barrier_collective(r->name);
}
