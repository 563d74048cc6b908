/* See message.h.  Elements are fetched and stored a buffer at a time, with all runs of the buffer under way
 * together. */
#include "coll/message.h"

#include "am/am.h"
#include "rma/pieces.h"
#include "coll/layout.h"
#include "host/job.h"
#include "rma/copy.h"

#define ME mer_job.mythread
#define THREADS mer_job.threads
#define BUFFER 16384U /* bytes of elements under way at a time */

void mer_message_share(const struct mer_move *m, int *counter) {
    size_t n = m->nbytes;
    mer_u64 to = mer_coll_bits_on(m->dst, ME);
    switch (m->kind) {
    case MER_BROADCAST:
        break;
    case MER_SCATTER:
        mer_rma_copy_begin(to, m->src + (size_t)ME * n, n, counter, m->name);
        break;
    case MER_GATHER:
        mer_rma_copy_begin(m->dst + (size_t)ME * n, mer_coll_bits_on(m->src, ME), n, counter, m->name);
        break;
    case MER_GATHER_ALL:
    case MER_EXCHANGE:
        for (int i = 0; i < THREADS; i++) {
            int t = (ME + i) % THREADS;
            size_t block = m->kind == MER_EXCHANGE ? (size_t)ME * n : 0;
            mer_rma_copy_begin(to + (size_t)t * n, mer_coll_bits_on(m->src, t) + block, n, counter, m->name);
        }
        break;
    case MER_PERMUTE:
        mer_rma_copy_begin(mer_coll_bits_on(m->dst, mer_move_target(m, ME)), mer_coll_bits_on(m->src, ME), n,
                           counter, m->name);
        break;
    }
}

/* A batch of consecutive elements of the array, wherever they lie. */
struct batch {
    struct mer_walk walk;
    _Alignas(16) unsigned char bytes[BUFFER];
};

/* Fetch the next elements, `left' at most, move the walk after them, and return their number. */
static size_t fetch(struct batch *b, const struct mer_reduction *r, size_t left) {
    size_t size = r->kernel->size, most = BUFFER / size, have = 0;
    struct mer_walk walk = b->walk;
    int counter = 0;
    struct mer_pieces pieces = {.counter = &counter};
    if (left > most)
        left = most;
    while (have < left) {
        size_t run = mer_walk_run(&walk, left - have);
        mer_rma_get_piece(&pieces, b->bytes + have * size, walk.at.bits, run * size);
        mer_walk_on(&walk, run);
        have += run;
    }
    mer_pieces_send(&pieces);
    mer_am_wait_counter(&counter);
    b->walk = walk;
    return have;
}

/* Store n elements, and move the walk after them. */
static void store(struct mer_walk *walk, const struct mer_reduction *r, const unsigned char *bytes,
                  size_t n) {
    size_t size = r->kernel->size;
    int counter = 0;
    struct mer_pieces pieces = {.counter = &counter};
    for (size_t done = 0, run; done < n; done += run) {
        run = mer_walk_run(walk, n - done);
        mer_rma_put_piece(&pieces, walk->at.bits, bytes + done * size, run * size);
        mer_walk_on(walk, run);
    }
    mer_pieces_send(&pieces);
    mer_am_wait_counter(&counter);
}

void mer_message_walk(struct mer_partial *p, const struct mer_reduction *r, size_t first, size_t end,
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

void mer_message_part(struct mer_partial *p, const struct mer_reduction *r) {
    if (r->commutes) {
        mer_pptr first;
        size_t n = mer_layout_own(r->src, r->kernel->size, r->nelems, r->block, ME, &first);
        mer_partial_fold(p, r, mer_at(first.bits), n);
    } else {
        mer_message_walk(p, r, mer_layout_part(r->nelems, ME), mer_layout_part(r->nelems, ME + 1), false);
    }
}
