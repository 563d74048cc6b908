/* One time step over a box, see sweep.h.
 *
 * A box is computed in tiles of two dimensions, by loops that are inlined over rows and elements.  Where
 * there is a slower axis, tiles are so narrow that the rows that the stencil reaches stay in the second-level
 * cache.
 * */
#include "array/sweep.h"

#define CACHE (256L << 10) /* bytes of a tile with what it reads */
#define LONGEST 4096 /* elements of a row at a time, so that passes over it stay in the first-level cache */

/* ---- tiles --------------------------------------------------------------------------------------------- */

/* The sums of a part of a tile, `at' bytes from the block's first element, in passes of MER_ROW_TERMS terms.
 */
static void sum(const struct mer_stencil *s, const struct mer_level *l, ptrdiff_t at, long n, long rows,
                ptrdiff_t next) {
    const char *of[2] = {l->u + at, l->out + at};
    for (int t = 0; t < s->terms; t++)
        s->at[t] = of[s->term[t].old] + s->offset[t];
    for (int t = 0; t < s->terms; t += MER_ROW_TERMS)
        s->pass[t / MER_ROW_TERMS](l->out + at, s->at + t, s->coefficient + t, n, rows, next);
}

static void sum_tile(const struct mer_stencil *s, const struct mer_level *l, ptrdiff_t at,
                     const struct mer_tile *tile) {
    ptrdiff_t size = (ptrdiff_t)s->g->size;
    if (s->terms <= MER_ROW_TERMS) {
        sum(s, l, at, tile->n, tile->rows, tile->next);
        return;
    }
    for (long j = 0; j < tile->rows; j++)
        for (long i = 0; i < tile->n; i += LONGEST)
            sum(s, l, at + (j * tile->next + i) * size, tile->n - i < LONGEST ? tile->n - i : LONGEST, 1, 0);
}

static void rows_of_tile(const struct mer_stencil *s, const struct mer_level *l, ptrdiff_t at,
                         const struct mer_tile *tile) {
    long index[RANK];
    for (int k = 0; k < RANK; k++)
        index[k] = tile->index[k];
    for (long j = 0; j < tile->rows; j++, at += tile->next * (ptrdiff_t)s->g->size) {
        s->rows(l->out + at, l->u + at, s->step, tile->n, index, s->context);
        if (tile->row_axis >= 0)
            index[tile->row_axis]++;
    }
}

static void compute_tile(const struct mer_stencil *s, const struct mer_level *l, ptrdiff_t at,
                         const struct mer_tile *tile) {
    if (s->tile)
        s->tile(l->out + at, l->u + at, s->step, tile, s->context);
    else if (s->rows)
        rows_of_tile(s, l, at, tile);
    else
        sum_tile(s, l, at, tile);
}

/* ---- boxes --------------------------------------------------------------------------------------------- */

/* The tiles of a box, the axes from `d' on (counted from the fastest) being still to go through. */
static void tiles_of(const struct mer_stencil *s, const struct mer_level *l, const struct mer_box *box, int d,
                     ptrdiff_t at, long *index) {
    int k = mer_geometry_axis(s->g, d);
    ptrdiff_t start = at + (box->low[k] - l->block.low[k]) * s->g->stride[k];
    index[k] = box->low[k];
    if (d <= 1) {
        int fast = mer_geometry_axis(s->g, 0);
        struct mer_tile tile = {.n = box->high[fast] - box->low[fast],
                                .rows = d ? box->high[k] - box->low[k] : 1,
                                .next = d ? s->step[k] : 0,
                                .index = index,
                                .axis = fast,
                                .row_axis = d ? k : -1};
        index[fast] = box->low[fast];
        if (d)
            start += (box->low[fast] - l->block.low[fast]) * s->g->stride[fast];
        compute_tile(s, l, start, &tile);
        return;
    }
    for (long i = box->low[k]; i < box->high[k]; i++, start += s->g->stride[k]) {
        index[k] = i;
        tiles_of(s, l, box, d - 1, start, index);
    }
}

void mer_sweep_box(const struct mer_stencil *s, const struct mer_level *l, const struct mer_box *box) {
    const struct mer_geometry *g = s->g;
    long index[RANK] = {0};
    if (mer_box_empty(g, box))
        return;
    if (g->rank < 3) {
        tiles_of(s, l, box, g->rank - 1, 0, index);
        return;
    }
    int fast = mer_geometry_axis(g, 0), next = mer_geometry_axis(g, 1), slow = mer_geometry_axis(g, 2);
    long bytes = (box->high[fast] - box->low[fast]) * (long)g->size * (2 * s->radius[slow] + 2);
    long tile = CACHE / bytes - 2 * s->radius[next];
    tile = tile < 4 ? 4 : tile;
    for (long i = box->low[next]; i < box->high[next]; i += tile) {
        struct mer_box part = *box;
        part.low[next] = i;
        part.high[next] = i + tile < box->high[next] ? i + tile : box->high[next];
        tiles_of(s, l, &part, g->rank - 1, 0, index);
    }
}
