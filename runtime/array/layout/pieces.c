/* Cutting regions at the borders of blocks, see pieces.h. */
#include "array/layout/pieces.h"

#include <string.h>

/* A stretch of an axis that lies in one block of `from'. */
struct stretch {
    long to, count, from; /* index in `to'; elements; offset in the block */
    int block;
};

struct cutter {
    const struct mer_region *region;
    mer_piece_sink *sink;
    void *context;
    int place_to[RANK], place_from[RANK];
    struct mer_piece piece;
};

static long modulo(long i, long n) { return (i % n + n) % n; }

/* Returns the stretch that begins at index i and ends by `high'.  If `from' has no such element, its count is
 * 0, and its `to' is the next index to look at. */
static struct stretch stretch_at(const struct mer_region *r, int k, long i, long high) {
    int m = r->axis[k];
    struct stretch s = {.to = i, .count = high - i};
    if (m < 0)
        return s;
    long extent = r->from->extent[m], block = r->from->block[m], j = i + r->shift[k];
    if (r->wrap[k])
        j = modulo(j, extent);
    if (j < 0 || j >= extent) {
        s.count = 0;
        s.to = j < 0 && i - j < high ? i - j : high;
        return s;
    }
    s.block = (int)(j / block);
    s.from = j % block;
    long end = extent - j < block - s.from ? extent - j : block - s.from;
    s.count = s.count < end ? s.count : end;
    return s;
}

static void cut_axis(struct cutter *c, int k, ptrdiff_t to, ptrdiff_t from) {
    const struct mer_region *r = c->region;
    if (k == r->to->rank) {
        c->piece.to = to;
        c->piece.from = from;
        c->piece.from_thread = mer_geometry_thread(r->from, c->place_from);
        c->sink(c->context, &c->piece);
        return;
    }
    int m = r->axis[k];
    long first = r->to->block[k] * c->place_to[k];
    for (long i = r->low[k]; i < r->high[k];) {
        struct stretch s = stretch_at(r, k, i, r->high[k]);
        i = s.to + s.count;
        if (s.count == 0)
            continue;
        c->piece.count[k] = s.count;
        if (m >= 0)
            c->place_from[m] = s.block;
        cut_axis(c, k + 1, to + (s.to - first) * r->to->stride[k],
                 m < 0 ? from : from + s.from * r->from->stride[m]);
    }
}

void mer_pieces_of(const struct mer_region *r, mer_piece_sink *sink, void *context) {
    struct cutter c = {.region = r, .sink = sink, .context = context};
    if (!mer_geometry_place(r->to, r->thread, c.place_to))
        return;
    c.piece = (struct mer_piece){.to_thread = r->thread,
                                 .to_slot = r->to_slot,
                                 .from_slot = r->from_slot,
                                 .rank = r->to->rank,
                                 .size = r->to->size};
    for (int k = 0; k < r->to->rank; k++) {
        c.piece.to_stride[k] = r->to->stride[k];
        c.piece.from_stride[k] = r->axis[k] < 0 ? 0 : r->from->stride[r->axis[k]];
    }
    cut_axis(&c, 0, 0, 0);
}

bool mer_region_of_block(struct mer_region *r, const struct mer_geometry *to, const struct mer_geometry *from,
                         int thread) {
    int place[RANK];
    memset(r, 0, sizeof *r);
    r->to = to;
    r->from = from;
    r->thread = thread;
    if (!mer_geometry_place(to, thread, place))
        return false;
    for (int k = 0; k < to->rank; k++) {
        r->axis[k] = k;
        r->low[k] = to->block[k] * place[k];
        r->high[k] = r->low[k] + mer_geometry_count(to, k, place[k]);
        if (r->high[k] <= r->low[k])
            return false;
    }
    return true;
}
