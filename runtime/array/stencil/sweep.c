/* A time step over a box, see sweep.h.
 *
 * A box is computed in tiles of two dimensions, by loops that are inlined over rows and elements.  If there
 * is a slower axis, tiles are so narrow that the rows that the stencil reaches stay in the third-level cache.
 * Faces are set a few layers at a time, so that the sweep finds the lines that they have touched in a cache:
 * the ends of each row are a cache line of memory each.
 *
 * A level that is larger than the caches has left them before it is read again.  It is stored past them, if
 * one pass over a row computes the sums; and the reads of a row are prefetched a row or two earlier. */
#include "array/stencil/sweep.h"

#include "array/layout/cache.h"

#include <stdint.h>
#include <string.h>

#define PLANES_AHEAD 1   /* rows to prefetch ahead, if several planes are computed at a time */
#define PART 4096        /* bytes of a row at a time, if levels come from memory */
#define AHEAD 2          /* rows to prefetch ahead */
#define UNROLLED_AHEAD 4 /* rows to prefetch ahead, if several rows are computed at a time */
#define AHEAD_ROWS 8     /* of a tile in the caches, and bytes of each, between which lines are prefetched */
#define AHEAD_PART 2048
#define LONGEST 1024 /* elements of a row at a time, so that passes over it stay in the first-level cache */
#define STREAMED 512 /* least bytes of a row that are stored past the caches */

static long least(long a, long b) { return a < b ? a : b; }
static long largest(long a, long b) { return a > b ? a : b; }

/* Returns true if several planes are computed at a time, from memory or from the third-level cache. */
static bool takes_planes(const struct mer_stencil *s, const struct mer_level *l) {
    return s->planes && (l->large || s->skews);
}

/* Returns how many planes are computed at a time.  Four are faster than two for 7 points of 256^3; they are
 * slower for the wave, and tile by tile over several steps. */
static long planes_at_a_time(const struct mer_stencil *s, const struct mer_level *l) {
    return s->two_levels || !l->large ? 2 : 4;
}

/* ---- tiles --------------------------------------------------------------------------------------------- */

/* Sets the addresses of the terms of the element that lies `at' bytes from the block's first. */
static void find_terms(const struct mer_stencil *s, const struct mer_level *l, ptrdiff_t at) {
    const char *of[2] = {l->u + at, l->out + at};
    for (int t = 0; t < s->terms; t++)
        s->at[t] = of[s->term[t].old] + s->offset[t];
}

/* Computes the sums of a part of a tile, `at' bytes from the block's first element, in passes of
 * MER_ROW_TERMS terms. */
static void sum(const struct mer_stencil *s, const struct mer_level *l, ptrdiff_t at, long n, long rows,
                ptrdiff_t next) {
    find_terms(s, l, at);
    for (int t = 0; t < s->terms; t += MER_ROW_TERMS)
        s->pass[t / MER_ROW_TERMS](l->out + at, s->at + t, s->coefficient + t, n, rows, next);
}

/* Computes a tile of levels that come from memory by whole rows.  The elements that the next row is the first
 * to read, and the lines into which it is stored, are prefetched between the sums of the row before.  With
 * AVX-512 also from the third-level cache; with AVX2 the steps of a tile that find the levels there take 0.85
 * of the time without prefetches (7 points of 256^3; the wave 0.9).  Returns false if there is no loop. */
static bool fetching_tile(const struct mer_stencil *s, const struct mer_level *l, ptrdiff_t at,
                          const struct mer_tile *tile) {
    ptrdiff_t size = (ptrdiff_t)s->g->size, row = tile->next * size;
    bool past = l->large && s->streamed && tile->n * size >= STREAMED;
    mer_row_fetching *sum_rows = past ? s->streamed : s->kept;
    if (!sum_rows || !(l->large || (s->skews && s->g->rank > 2 && (l->fetches || s->keeps_later))))
        return false;
    struct mer_row_part part = {
        .count = tile->n, .rows = tile->rows, .next = tile->next, .front = l->u + at + s->front + row};
    find_terms(s, l, at);
    sum_rows(l->out + at, s->at, s->coefficient, &part);
    return true;
}

/* Computes the rows of a tile in several planes, each row in all of them before the next.  Later rows are
 * prefetched meanwhile. */
static void tile_of_planes(const struct mer_stencil *s, const struct mer_level *l, ptrdiff_t at,
                           const struct mer_tile *tile, long planes) {
    ptrdiff_t size = (ptrdiff_t)s->g->size, row = tile->next * size;
    struct mer_unroll_at run = {.u = l->u + at, .out = l->out + at, .n = tile->n, .rows = planes};
    run.stream = l->large && !s->two_levels && tile->n * size >= STREAMED;
    run.ahead = s->front + PLANES_AHEAD * row;
    run.ahead_made = run.stream ? 0 : PLANES_AHEAD * row;
    for (long j = 0; j < tile->rows; j++, run.u += row, run.out += row)
        mer_unrolled_run(s->planes, &run);
}

static void sum_tile(const struct mer_stencil *s, const struct mer_level *l, ptrdiff_t at,
                     const struct mer_tile *tile) {
    ptrdiff_t size = (ptrdiff_t)s->g->size;
    if (s->terms <= MER_ROW_TERMS) {
        sum(s, l, at, tile->n, tile->rows, tile->next);
        return;
    }
    for (long j = 0; j < tile->rows; j++)
        for (long i = 0; i < tile->n; i += LONGEST) {
            ptrdiff_t part = at + (j * tile->next + i) * size;
            sum(s, l, part, least(tile->n - i, LONGEST), 1, 0);
        }
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

/* Returns how many elements of a tile lie along axis k. */
static long length_along(const struct mer_tile *tile, int k) {
    return k == tile->axis ? tile->n : k == tile->row_axis ? tile->rows : 1;
}

/* Along a periodic axis shorter than the halo a tile may go round the array more than once.  Kernels get such
 * a tile in parts, whose indices begin within the array. */
static void parts_within(const struct mer_stencil *s, const struct mer_level *l, ptrdiff_t at,
                         const struct mer_tile *tile) {
    const long *extent = s->g->extent;
    long index[RANK] = {0}, size = (long)s->g->size;
    struct mer_tile part = *tile;
    part.index = index;
    for (int k = 0; k < s->g->rank; k++)
        index[k] = (tile->index[k] % extent[k] + extent[k]) % extent[k];
    long first = index[tile->axis], across = tile->row_axis;
    for (long j = 0; j < tile->rows; j += part.rows) {
        part.rows = across < 0 ? 1 : least(tile->rows - j, extent[across] - index[across]);
        index[tile->axis] = first;
        for (long i = 0; i < tile->n; i += part.n) {
            part.n = least(tile->n - i, extent[tile->axis] - index[tile->axis]);
            ptrdiff_t here = at + (j * tile->next + i) * size;
            s->tile(l->out + here, l->u + here, s->step, &part, s->context);
            index[tile->axis] = 0;
        }
        if (across >= 0)
            index[across] = 0;
    }
}

static void kernel_of_tile(const struct mer_stencil *s, const struct mer_level *l, ptrdiff_t at,
                           const struct mer_tile *tile) {
    for (int k = 0; k < s->g->rank; k++) {
        long extent = s->g->extent[k], low = tile->index[k];
        if (low < -extent || low + length_along(tile, k) > 2 * extent) {
            parts_within(s, l, at, tile);
            return;
        }
    }
    s->tile(l->out + at, l->u + at, s->step, tile, s->context);
}

static void compute_part(const struct mer_stencil *s, const struct mer_level *l, ptrdiff_t at,
                         const struct mer_tile *tile) {
    if (s->tile)
        kernel_of_tile(s, l, at, tile);
    else if (s->rows)
        rows_of_tile(s, l, at, tile);
    else
        sum_tile(s, l, at, tile);
}

/* Prefetches `bytes' bytes. */
static void fetch(const char *at, long bytes) {
    for (const char *end = at + bytes; at < end; at += MER_LINE)
        __builtin_prefetch(at, 0, 3);
}

/* Computes a tile by parts of rows, several rows or sums at a time.  If levels come from memory, the elements
 * that the following rows read are prefetched meanwhile. */
static void unroll_tile(const struct mer_stencil *s, const struct mer_level *l, ptrdiff_t at,
                        const struct mer_tile *tile) {
    long size = (long)s->g->size, part = (s->reassociated ? MER_REASSOCIATE_PART : MER_UNROLL_PART) / size;
    bool memory = l->large || l->fetches;
    ptrdiff_t ahead = (s->reassociated ? AHEAD : UNROLLED_AHEAD) * tile->next * size;
    struct mer_unroll_at run = {.rows = tile->rows,
                                .stream = l->large && !s->two_levels && tile->n * size >= STREAMED,
                                .ahead = memory ? s->front + ahead : 0,
                                .ahead_made = memory && (s->two_levels || l->fetches) ? ahead : 0};
    for (long i = 0; i < tile->n; i += part) {
        run.n = least(tile->n - i, part);
        run.u = l->u + at + i * size;
        run.out = l->out + at + i * size;
        if (s->reassociated)
            mer_reassociated_run(s->reassociated, &run);
        else
            mer_unrolled_run(s->unrolled, &run);
    }
}

bool mer_sweep_takes_ahead(const struct mer_stencil *s) {
    return s->g->rank == 2 && !s->reassociated && s->terms <= MER_ROW_TERMS;
}

static void fetch_ahead(struct mer_ahead *a, long bytes) {
    for (a->owed += bytes; a->owed >= a->share * MER_LINE && a->row < a->rows;
         a->owed -= a->share * MER_LINE) {
        ptrdiff_t at = a->row * a->next + a->done;
        __builtin_prefetch(a->u + at, 0, 2);
        __builtin_prefetch(a->out + at, 0, 2);
        a->done += MER_LINE;
        if (a->done >= a->bytes) {
            a->done = 0;
            a->row++;
        }
    }
}

/* Computes a tile that is in the caches, by parts of a few lines' length, so that few lines at a time are
 * prefetched: more than the processor keeps track of would hold it up.  Parts begin with a line. */
static void compute_while_fetching(const struct mer_stencil *s, const struct mer_level *l, ptrdiff_t at,
                                   const struct mer_tile *tile) {
    long size = (long)s->g->size, index[RANK];
    struct mer_tile part = *tile;
    part.index = index;
    memcpy(index, tile->index, sizeof index);
    for (long j = 0; j < tile->rows; j += AHEAD_ROWS) {
        part.rows = least(tile->rows - j, AHEAD_ROWS);
        for (long i = 0; i < tile->n; i += part.n) {
            uintptr_t out = (uintptr_t)(l->out + at + i * size);
            long unaligned = (long)(-out & (MER_LINE - 1)) / size;
            part.n = least(tile->n - i, unaligned ? unaligned : AHEAD_PART / size);
            index[tile->axis] = tile->index[tile->axis] + i;
            if (tile->row_axis >= 0)
                index[tile->row_axis] = tile->index[tile->row_axis] + j;
            compute_part(s, l, at + (i + j * tile->next) * size, &part);
            fetch_ahead(l->ahead, part.n * part.rows * size);
        }
    }
}

/* Computes a tile.  If levels come from memory and no loop prefetches, the tile is computed by parts of rows,
 * so short that the rows which the stencil reaches stay in the first-level cache.  The reads of the row after
 * next are prefetched before each part, since the processor's own prefetching begins anew with it. */
static void compute_tile(const struct mer_stencil *s, const struct mer_level *l, ptrdiff_t at,
                         const struct mer_tile *tile, long planes) {
    if (takes_planes(s, l)) {
        tile_of_planes(s, l, at, tile, planes);
        return;
    }
    if (s->reassociated || (s->unrolled && (l->large || s->terms > MER_ROW_TERMS))) {
        unroll_tile(s, l, at, tile);
        return;
    }
    if (fetching_tile(s, l, at, tile))
        return;
    if (!l->large && !l->fetches) {
        if (l->ahead)
            compute_while_fetching(s, l, at, tile);
        else
            compute_part(s, l, at, tile);
        return;
    }
    long size = (long)s->g->size, index[RANK];
    ptrdiff_t row = tile->next * size, front = s->front + AHEAD * row;
    struct mer_tile part = *tile;
    part.index = index;
    part.rows = 1;
    for (long i = 0; i < tile->n; i += part.n) {
        part.n = least(tile->n - i, PART / size);
        memcpy(index, tile->index, sizeof index);
        index[tile->axis] += i;
        for (long j = 0; j < tile->rows; j++) {
            ptrdiff_t here = at + i * size + j * row;
            fetch(l->u + here + front, part.n * size);
            if (s->two_levels || l->fetches)
                fetch(l->out + here + AHEAD * row, part.n * size);
            compute_part(s, l, here, &part);
            if (tile->row_axis >= 0)
                index[tile->row_axis]++;
        }
    }
}

/* ---- boxes --------------------------------------------------------------------------------------------- */

/* Computes the tiles of a box over the axes d, d - 1, ... 0 (0 is the fastest), in so many planes. */
static void tiles_of(const struct mer_stencil *s, const struct mer_level *l, const struct mer_box *box, int d,
                     ptrdiff_t at, long *index, long planes) {
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
                                .row_axis = d ? k : -1,
                                .extent = s->g->extent};
        index[fast] = box->low[fast];
        if (d)
            start += (box->low[fast] - l->block.low[fast]) * s->g->stride[fast];
        compute_tile(s, l, start, &tile, planes);
        return;
    }
    long most = d == 2 && takes_planes(s, l) ? planes_at_a_time(s, l) : 1;
    for (long i = box->low[k]; i < box->high[k]; i += most, start += most * s->g->stride[k]) {
        index[k] = i;
        tiles_of(s, l, box, d - 1, start, index, least(most, box->high[k] - i));
    }
}

/* Returns the bytes of a layer of a box across axis k. */
static long layer_of(const struct mer_stencil *s, const struct mer_box *box, int k) {
    long bytes = (long)s->g->size;
    for (int a = 0; a < s->g->rank; a++)
        bytes *= a == k ? 1 : box->high[a] - box->low[a];
    return bytes;
}

/* Computes a box by parts of a few layers of the slowest axis.  Before a part, sets the faces of the layers
 * that it is the first to read.  If planes are prefetched, these layers are in a cache then. */
static void sweep_layers(const struct mer_stencil *s, const struct mer_level *l, const struct mer_box *box) {
    int rank = s->g->rank, k = mer_geometry_axis(s->g, rank - 1);
    long index[RANK] = {0};
    long layers = takes_planes(s, l) && rank == 3 ? planes_at_a_time(s, l)
                  : rank > 1 ? largest(mer_cache_bytes(2) / 8 / layer_of(s, box, k), 8L * s->radius[k] + 1)
                             : box->high[k] - box->low[k];
    for (long i = box->low[k]; i < box->high[k]; i += layers) {
        struct mer_box part = *box, seen = *box;
        part.low[k] = i;
        part.high[k] = seen.high[k] = least(i + layers, box->high[k]);
        seen.low[k] = i > box->low[k] ? i + 2L * s->radius[k] : i;
        mer_halo_faces(s->halo, l->u, l->out, &seen, s->radius, l->stand);
        tiles_of(s, l, &part, rank - 1, 0, index, 1);
    }
}

/* Returns the length of parts of the second-fastest axis.  These layers stay in a cache:
 *  - planes: the layers that the stencil reaches and those that are prefetched, in the second level;
 *  - several rows or sums at a time: likewise, in most of the second level, since the sums are stored past it
 *    (27 points of 256^3: 0.92 of the time);
 *  - otherwise, or if such parts would be short: the layers that the stencil reaches, in half of the third
 *    level.  Parts that stay in the second level are slower then, by a third with the wave, because they read
 *    memory in short pieces. */
static long rows_at_a_time(const struct mer_stencil *s, const struct mer_level *l, const struct mer_box *box,
                           int next) {
    int fast = mer_geometry_axis(s->g, 0), slow = mer_geometry_axis(s->g, 2);
    long bytes = (box->high[fast] - box->low[fast]) * (long)s->g->size, reach = 2L * s->radius[slow];
    long all = box->high[next] - box->low[next], most = 0;
    if (takes_planes(s, l))
        most = mer_cache_bytes(2) / (bytes * (reach + (s->two_levels ? 2 : 1) * planes_at_a_time(s, l)));
    else if (s->reassociated || s->unrolled)
        most = mer_cache_bytes(2) / 4 * 3 / (bytes * (reach + 2));
    if (most < 16L * s->radius[next] || most < 1)
        most = largest(mer_cache_bytes(3) / 2 / (bytes * (reach + 2)) - 2 * s->radius[next], 4);
    long parts = (all + most - 1) / most;
    return (all + parts - 1) / parts;
}

/* Returns true if the box's faces have to be set as a whole, before it is computed.  Elements beyond one end
 * of a wrapped axis are copied from the other end, together with those that the faces of an axis before it
 * set there.  The latter have to be set by then, which they are not if parts along this axis are computed one
 * after the other. */
static bool sets_faces_first(const struct mer_stencil *s, bool cut, int next) {
    int slow = mer_geometry_axis(s->g, s->g->rank - 1);
    return s->corners &&
           ((cut && mer_halo_wraps_here(s->halo, next)) || (slow > 0 && mer_halo_wraps_here(s->halo, slow)));
}

void mer_sweep_box(const struct mer_stencil *s, const struct mer_level *l, const struct mer_box *box,
                   bool faces) {
    const struct mer_geometry *g = s->g;
    long index[RANK] = {0};
    if (mer_box_empty(g, box))
        return;
    int next = mer_geometry_axis(g, g->rank < 3 ? 0 : 1);
    long rows = g->rank < 3 ? box->high[next] - box->low[next] : rows_at_a_time(s, l, box, next);
    if (faces && sets_faces_first(s, rows < box->high[next] - box->low[next], next)) {
        mer_halo_faces(s->halo, l->u, l->out, box, s->radius, l->stand);
        faces = false;
    }
    for (long i = box->low[next]; i < box->high[next]; i += rows) {
        struct mer_box part = *box;
        part.low[next] = i;
        part.high[next] = least(i + rows, box->high[next]);
        if (faces)
            sweep_layers(s, l, &part);
        else
            tiles_of(s, l, &part, g->rank - 1, 0, index, 1);
    }
}
