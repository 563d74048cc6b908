/* Several time steps over a block while it is in a cache (temporal blocking), see sweep.h.
 *
 * The block is cut into tiles along some axes, and all steps of a tile are taken before the next tile.  A
 * tile moves against its axes by s with each step, which is at least the stencil's radius r: in step j it
 * has the elements x with
 *
 *     floor((x + j s - base) / length) = the tile's number, along each axis that is cut.
 *
 * Along the fastest axis s is r in whole cache lines, and tiles begin with a line: else each store of a
 * vector would be to two lines, in all rows of a tile.  (4096^2 elements: 0.36 ns instead of 0.44.)
 *
 * Tiles are computed in the lexicographic order of their numbers; no element is computed twice.
 *
 * Why this is right.  Let x of step j be computed in tile T.  It reads the elements x + d, |d| <= r, of the
 * level that step j - 1 makes.  There x + d has the number floor((x + d + (j - 1) s - base) / length), which
 * is at most T's along each axis, because d - s <= 0.  So x + d has been computed earlier, in an earlier tile
 * or by the previous step in this one.  The two levels alternate in two memories: step j writes x over the
 * level of step j - 2.  That level is read by step j - 1 at x + d, with |d| <= r, which comes earlier, as has
 * just been shown; and by step j itself at x, if the stencil has `old' terms.  So no element is overwritten
 * that is still to be read.
 *
 * Faces.  The elements beyond a face are set for each box immediately before the box is computed.  They are
 * copies of elements that the box reads itself (mirror images), and so of the right level by the argument
 * above, or a value.  Elements that other boxes have left there do not matter; values that are there since an
 * earlier exchange are not set again.  The same holds for the two ends of a periodic axis that lies in the
 * process and is not cut: an element at the other end has, along the axes that are cut, the numbers of an
 * element that the box reads. */
#include "array/layout/cache.h"
#include "array/stencil/sweep.h"

/* ---- the lengths of tiles ------------------------------------------------------------------------------ */

static long least(long a, long b) { return a < b ? a : b; }
static long largest(long a, long b) { return a > b ? a : b; }

/* Returns the elements of a cache line. */
static long line_of(const struct mer_geometry *g) { return largest(MER_LINE / (long)g->size, 1); }

static bool by_lines(const struct mer_geometry *g, int k) {
    return g->rank > 1 && k == mer_geometry_axis(g, 0);
}

/* Returns by how many elements tiles move along axis k with each step. */
static long shift_of(const struct mer_geometry *g, const int *radius, int k) {
    long line = by_lines(g, k) ? line_of(g) : 1;
    return (radius[k] + line - 1) / line * line;
}

/* Returns how many elements of an axis a tile of `length' touches over all steps, in either level. */
static long touched(long length, long shift, int steps) { return length + (steps + 1) * shift; }

bool mer_skew_choose(const struct mer_geometry *g, const int *radius, int steps, long l2, long l3,
                     long tile[RANK]) {
    int fast = mer_geometry_axis(g, 0), slow = mer_geometry_axis(g, g->rank - 1);
    int next = mer_geometry_axis(g, g->rank > 1 ? 1 : 0);
    long layer = 2 * (long)g->size; /* bytes of both levels in a layer across the slowest axis */
    for (int k = 0; k < g->rank; k++) {
        tile[k] = 0;
        layer *= k == slow ? 1 : g->block[k] + 2L * g->halo[k];
    }
    if (steps < 2 || layer * g->block[slow] <= l2)
        return false;
    /* Tiles of a few layers, whole along the other axes; or cut along the second-fastest axis, or the fastest
     * one, with at least half of the work on elements that the previous tile has not touched. */
    long few = least(4 * radius[slow] + 4, g->block[slow]), layers = touched(few, radius[slow], steps);
    tile[slow] = few;
    if (layers * layer <= l2)
        return true;
    int cut = g->rank > 2 ? next : fast;
    long shift = shift_of(g, radius, cut), whole = by_lines(g, cut) ? line_of(g) : 1;
    if (g->rank == 1) {
        tile[slow] = l2 / layer - touched(0, radius[slow], steps);
        return tile[slow] > (steps + 1) * radius[slow];
    }
    long line = layers * (layer / (g->block[cut] + 2L * g->halo[cut]));
    for (int level = 0; level < 2; level++) {
        tile[cut] = 0;
        if (level && layers * layer <= l3)
            return true;
        tile[cut] = ((level ? l3 : l2) / line - touched(0, shift, steps)) / whole * whole;
        if (tile[cut] >= 2 * (steps + 1) * shift)
            return true;
    }
    return false;
}

/* ---- running ------------------------------------------------------------------------------------------- */

/* Tile numbers: the smallest x + j s of any step, and how many tiles there are from there on. */
struct tiling {
    long base[RANK], tiles[RANK];
};

static struct tiling tiling_of(const struct mer_stencil *s, const struct mer_level *l, int count,
                               const struct mer_box *box) {
    struct tiling t;
    for (int k = 0; k < s->g->rank; k++) {
        long low = box[0].low[k], high = box[0].high[k], length = s->skewed_tile[k];
        long shift = shift_of(s->g, s->radius, k);
        for (int j = 1; j < count; j++) {
            low = least(low, box[j].low[k] + j * shift);
            high = largest(high, box[j].high[k] + j * shift);
        }
        /* Back to the first element of the cache line.  Boxes reach into the halo at most. */
        if (by_lines(s->g, k))
            low -= (low - l->block.low[k] + s->g->halo[k]) % line_of(s->g);
        t.base[k] = low;
        t.tiles[k] = length ? (high - low + length - 1) / length : 1;
    }
    return t;
}

/* Returns the part of step j's box that lies in the tile whose numbers are `at'. */
static struct mer_box part_of(const struct mer_stencil *s, const struct mer_box *box, const struct tiling *t,
                              const long *at, int j) {
    struct mer_box part = box[j];
    for (int k = 0; k < s->g->rank; k++) {
        long length = s->skewed_tile[k];
        long low = t->base[k] + at[k] * length - j * shift_of(s->g, s->radius, k);
        if (!length)
            continue;
        part.low[k] = largest(part.low[k], low);
        part.high[k] = least(part.high[k], low + length);
    }
    return part;
}

/* Sets *ahead to the rows that the next tile along the slowest axis reads and this one does not, for two
 * dimensions.  Returns false if there is no such tile. */
static bool next_tile(const struct mer_stencil *s, const struct mer_level *l, int count,
                      const struct mer_box *box, const struct tiling *t, const long *at,
                      struct mer_ahead *ahead) {
    int fast = mer_geometry_axis(s->g, 0), slow = mer_geometry_axis(s->g, 1);
    long next[RANK] = {0};
    next[fast] = at[fast];
    next[slow] = at[slow] + 1;
    struct mer_box part = part_of(s, box, t, next, 0);
    if (next[slow] >= t->tiles[slow] || mer_box_empty(s->g, &part))
        return false;
    ptrdiff_t row = s->g->stride[slow];
    ptrdiff_t first = (part.low[slow] - l->block.low[slow]) * row +
                      (part.low[fast] - l->block.low[fast]) * s->g->stride[fast];
    *ahead = (struct mer_ahead){.u = l->u + first + s->radius[slow] * row,
                                .out = l->out + first,
                                .next = row,
                                .rows = part.high[slow] - part.low[slow],
                                .bytes = (part.high[fast] - part.low[fast]) * s->g->stride[fast],
                                .share = count};
    return true;
}

/* Takes the steps of the tile whose numbers are `at'.  fetched: the previous tile has prefetched the memory
 * that this one needs.  Returns true if this one has done so for the next one. */
static bool run_tile(const struct mer_stencil *s, const struct mer_level *l, int count,
                     const struct mer_box *box, const struct tiling *t, const long *at, bool fetched) {
    struct mer_level levels[2] = {*l, {.u = l->out, .out = l->u, .block = l->block}};
    levels[0].stand = l->values[0] >= count; /* the first step's box is the largest: count - 1 radii */
    levels[1].stand = l->values[1] >= count - 1;
    struct mer_ahead ahead;
    bool more = mer_sweep_takes_ahead(s) && next_tile(s, l, count, box, t, at, &ahead);
    levels[0].ahead = levels[1].ahead = more ? &ahead : NULL;
    levels[0].fetches = !fetched;
    for (int j = 0; j < count; j++) {
        const struct mer_level *level = &levels[j % 2];
        struct mer_box part = part_of(s, box, t, at, j);
        if (mer_box_empty(s->g, &part))
            continue;
        mer_halo_faces(s->halo, level->u, level->out, &part, s->radius, level->stand);
        mer_sweep_box(s, level, &part, false);
        levels[0].fetches = false; /* the lines that the first step has touched are in a cache now */
    }
    return more;
}

void mer_skew_run(const struct mer_stencil *s, const struct mer_level *l, int count,
                  const struct mer_box *box) {
    struct tiling t = tiling_of(s, l, count, box);
    long at[RANK] = {0};
    bool fetched = false;
    for (int d = 0; d < s->g->rank;) { /* the slowest axis in memory counts fastest */
        fetched = run_tile(s, l, count, box, &t, at, fetched);
        for (d = 0; d < s->g->rank; d++) {
            int k = mer_geometry_axis(s->g, s->g->rank - 1 - d);
            if (++at[k] < t.tiles[k])
                break;
            at[k] = 0;
        }
    }
}
