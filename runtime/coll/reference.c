/* See reference.h.  Copies: each thread fetches the blocks that it receives or, in a gather and a
 * permutation, sends its block; a broadcast goes down the tree.  Computations: the result of each thread's
 * part goes up the tree, in the order of the parts; for a prefix reduction, the value before each part comes
 * down.  A part is the thread's own elements if the operation commutes, else an equal piece of the array,
 * whose elements are fetched. */
#include "coll/reference.h"

#include "am/am.h"
#include "coll/tree.h"
#include "coll/layout.h"
#include "coll/message.h"
#include "coll/partial.h"
#include "rma/copy.h"
#include "sync/barrier.h"

#define ME mer_job.mythread

/* ---- copies -------------------------------------------------------------------------------------------- */

static void broadcast(const struct mer_move *m) {
    int root = (int)mer_threadof(m->src);
    void *own = mer_coll_on(m->dst, ME);
    if (ME == root)
        memmove(own, mer_at(m->src), m->nbytes);
    mer_tree_broadcast(own, m->nbytes, root);
}

void mer_coll_move_reference(const struct mer_move *m) {
    int counter = 0;
    mer_barrier_collective(m->name);
    if (m->kind == MER_BROADCAST)
        broadcast(m);
    else
        mer_message_share(m, &counter);
    mer_am_wait_counter(&counter);
    mer_barrier_collective(m->name);
}

/* ---- computations -------------------------------------------------------------------------------------- */

/* The data that travel in the tree: the value of some parts, and the value of all these except the last. */
struct span {
    struct mer_partial all, before_last;
};

static void combine(void *into, const void *value, const void *context) {
    struct span left, right;
    const struct mer_reduction *r = context;
    memcpy(&left, into, sizeof left);
    memcpy(&right, value, sizeof right);
    left.before_last = left.all;
    mer_partial_follow(&left.before_last, r, &right.before_last);
    mer_partial_follow(&left.all, r, &right.all);
    memcpy(into, &left, sizeof left);
}

void mer_coll_reduce_reference(const struct mer_reduction *r) {
    struct span s;
    memset(&s, 0, sizeof s);
    mer_barrier_collective(r->name);
    mer_message_part(&s.all, r);
    mer_tree_reduce(&s, sizeof s, combine, r, false);
    if (ME == 0 && s.all.any)
        mer_rma_put(r->dst.bits, &s.all.value, r->kernel->size, r->name);
    mer_barrier_collective(r->name);
}

void mer_coll_prefix_reference(const struct mer_reduction *r) {
    struct span s;
    memset(&s, 0, sizeof s);
    size_t first = mer_layout_part(r->nelems, ME), end = mer_layout_part(r->nelems, ME + 1);
    mer_barrier_collective(r->name);
    mer_message_walk(&s.all, r, first, end, false);
    mer_tree_scan(&s, sizeof s, combine, r);
    mer_barrier_collective(r->name); /* dst may be src, whose elements all have read now */
    mer_message_walk(&s.before_last, r, first, end, true);
    mer_barrier_collective(r->name);
}
