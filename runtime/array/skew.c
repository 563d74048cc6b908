/* Several time steps over a block while it is in a cache (temporal blocking), see sweep.h.
 *
 * The block is cut into tiles along some axes, and all steps of a tile are taken before the next tile.  A
 * tile moves against its axes by the stencil's radius r with each step: of step j it has the elements x with
 *
 *     floor((x + j r - base) / length) = the tile's number, along each axis that is cut.
 *
 * Tiles are gone through in the lexicographic order of their numbers; no element is computed twice.
 *
 * Why that is right.  Let x of step j be computed in tile T.  What it reads are elements x + d, |d| <= r, of
 * the level that step j - 1 makes.  There x + d has the number floor((x + d + (j - 1) r - base) / length),
 * which is at most T's along each axis, because d - r <= 0.  So it has been computed before, in an earlier
 * tile or by the step before in this one.  The two levels take turns in two memories: step j writes x where
 * the level of step j - 2 was.  Who reads that?  Step j - 1 at x + d, with |d| <= r, which as has just been
 * shown comes before; and step j itself at x, if the stencil has `old' terms.  So nothing is overwritten that
 * is still to be read.
 *
 * Faces.  What lies beyond a face is set, for the box at hand, immediately before the box is computed.  It is
 * made of elements that the box reads itself (mirror images), or of a value: of the right level, therefore,
 * by the argument above.  What other boxes have left there does not matter.  The same goes for the two ends
 * of a periodic axis that lies in the process and is not cut: what is at the other end has, along the axes
 * that are cut, the numbers of an element that the box reads. */
#include "array/sweep.h"

/* ---- the lengths of tiles ------------------------------------------------------------------------------ */

static long least(long a, long b) { return a < b ? a : b; }
static long largest(long a, long b) { return a > b ? a : b; }

/* A tile of `length' along an axis touches so much of it over all steps, in either level. */
static long touched(long length, int radius, int steps) { return length + (long)(steps + 1) * radius; }

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
    /* A few layers at a time, of all else that there is; or of a part of the second-fastest axis, or the
     * fastest one, with at least half of its work on elements that the tile before has not touched. */
    long few = least(4 * radius[slow] + 4, g->block[slow]), layers = touched(few, radius[slow], steps);
    tile[slow] = few;
    if (layers * layer <= l2)
        return true;
    int cut = g->rank > 2 ? next : fast;
    if (g->rank == 1) {
        tile[slow] = l2 / layer - touched(0, radius[slow], steps);
        return tile[slow] > (steps + 1) * radius[slow];
    }
    long line = layers * (layer / (g->block[cut] + 2L * g->halo[cut]));
    for (int level = 0; level < 2; level++) {
        tile[cut] = (level ? l3 : l2) / line - touched(0, radius[cut], steps);
        if (level && layers * layer <= l3)
            tile[cut] = 0;
        if (tile[cut] == 0 || tile[cut] >= 2 * (steps + 1) * radius[cut])
            return true;
    }
    return false;
}

/* ---- running ------------------------------------------------------------------------------------------- */

/* Tile numbers: the smallest x + j r of any step, and how many tiles there are from there on. */
struct tiling {
    long base[RANK], tiles[RANK];
};

static struct tiling tiling_of(const struct mer_stencil *s, int count, const struct mer_box *box) {
    struct tiling t;
    for (int k = 0; k < s->g->rank; k++) {
        long low = box[0].low[k], high = box[0].high[k], length = s->skewed_tile[k];
        for (int j = 1; j < count; j++) {
            low = least(low, box[j].low[k] + j * (long)s->radius[k]);
            high = largest(high, box[j].high[k] + j * (long)s->radius[k]);
        }
        t.base[k] = low;
        t.tiles[k] = length ? (high - low + length - 1) / length : 1;
    }
    return t;
}

/* The steps of the tile whose numbers are `at'. */
static void run_tile(const struct mer_stencil *s, const struct mer_level *l, int count,
                     const struct mer_box *box, const struct tiling *t, const long *at) {
    struct mer_level levels[2] = {*l, {.u = l->out, .out = l->u, .block = l->block}};
    levels[0].fetches = true;
    for (int j = 0; j < count; j++) {
        const struct mer_level *level = &levels[j % 2];
        struct mer_box part = box[j];
        for (int k = 0; k < s->g->rank; k++) {
            long length = s->skewed_tile[k], low = t->base[k] + at[k] * length - j * (long)s->radius[k];
            if (!length)
                continue;
            part.low[k] = largest(part.low[k], low);
            part.high[k] = least(part.high[k], low + length);
        }
        if (mer_box_empty(s->g, &part))
            continue;
        mer_halo_faces(s->halo, level->u, level->out, &part, s->radius);
        mer_sweep_box(s, level, &part, false);
        levels[0].fetches = false; /* what the first step has touched is in a cache now */
    }
}

void mer_skew_run(const struct mer_stencil *s, const struct mer_level *l, int count,
                  const struct mer_box *box) {
    struct tiling t = tiling_of(s, count, box);
    long at[RANK] = {0};
    for (int d = 0; d < s->g->rank;) { /* the slowest axis in memory counts fastest */
        run_tile(s, l, count, box, &t, at);
        for (d = 0; d < s->g->rank; d++) {
            int k = mer_geometry_axis(s->g, s->g->rank - 1 - d);
            if (++at[k] < t.tiles[k])
                break;
            at[k] = 0;
        }
    }
}
