/* A stencil at work on one process: boxes of elements of a time level, in an order that keeps what they read
 * in the caches. */
#ifndef MER_ARRAY_SWEEP_H
#define MER_ARRAY_SWEEP_H

#include "array/halo.h"
#include "array/regroup.h"
#include "array/rows.h"
#include "array/sums.h"
#include "array/unroll.h"

struct mer_stencil {
    const struct mer_geometry *g;
    int terms;
    struct mer_term *term;
    double *coefficient;
    ptrdiff_t *offset; /* bytes, of each term */
    mer_stencil_rows *rows;
    mer_stencil_tile *tile;
    void *context;
    struct mer_sums sums; /* the context of rows, for terms of types that rows.h has no loops for */
    int radius[RANK];
    int steps;                         /* most that an exchange serves */
    bool two_levels;                   /* old elements are read */
    bool corners;                      /* elements at offsets along several axes at once are read */
    bool absorbs;                      /* there are absorbing faces */
    long skewed_tile[RANK];            /* lengths of tiles over several steps; 0: the axis is not cut */
    bool skews;                        /* steps are taken tile by tile */
    bool large;                        /* levels are larger than the caches */
    ptrdiff_t front;                   /* bytes from an element to the last row that it reads */
    mer_row_fetching *streamed, *kept; /* the loops for that, past the caches and into them; or null */
    bool keeps_later;                  /* `kept' is for tiles that are in a cache too */
    struct mer_halo *halo;
    const struct mer_array *fetched; /* the array whose halo is being fetched in two calls; or null */
    uint64_t fetch_digest;           /* of the call that has started that */
    struct mer_regrouped *regrouped; /* sums in another order, in place of all that follows; or null */
    struct mer_unrolled *planes;     /* several planes at a time, from memory; or null */
    struct mer_unrolled *unrolled;   /* several rows at a time, in place of the loops that follow; or null */
    mer_row **pass;                  /* the loop of each MER_ROW_TERMS terms */
    const void **at;                 /* the addresses of a row's terms */
    ptrdiff_t step[RANK];            /* elements */
};

/* Rows of the two levels that are asked for between the sums of other rows, a line of each at a time, so that
 * memory works while the processor computes: a line for `share' lines of sums. */
struct mer_ahead {
    const char *u, *out; /* where the first row begins */
    ptrdiff_t next;      /* bytes from a row to the next */
    long rows, bytes;    /* of a row */
    long share;
    long row, done; /* how far it has come: the row, and bytes of it */
    long owed;      /* bytes of sums that have not been counted yet */
};

/* Two time levels by their first elements of the block, and the block. */
struct mer_level {
    char *u, *out; /* the newest level; the one that is made, in the memory of the one before */
    struct mer_box block;
    /* What faces of the kind MER_VALUE make around u, and around out, stands since a step of the same call,
     * for the block and values[] - 1 radii around it; 0: none does.  stand: it does for the step at hand. */
    int values[2];
    bool stand;
    bool large;              /* the levels are larger than the caches, and the step is for itself */
    bool fetches;            /* the levels come from memory, and what is made is read again soon */
    struct mer_ahead *ahead; /* what is asked for meanwhile; or null */
};

static inline bool mer_box_empty(const struct mer_geometry *g, const struct mer_box *box) {
    for (int k = 0; k < g->rank; k++)
        if (box->high[k] <= box->low[k])
            return true;
    return false;
}

/* Compute the box's elements of the new level.  faces: what lies beyond faces is set too, part by part, just
 * before it is read; for stencils without absorbing faces, which look at the level before. */
void mer_sweep_box(const struct mer_stencil *s, const struct mer_level *l, const struct mer_box *box,
                   bool faces);

/* Can what comes later be asked for while a part is computed? */
bool mer_sweep_takes_ahead(const struct mer_stencil *s);

/* Choose the lengths of tiles for so many steps, so that a tile's levels stay in a cache; l2, l3: bytes of
 * cache that a process may count on.  False: there is nothing to gain, since the block stays there anyway. */
bool mer_skew_choose(const struct mer_geometry *g, const int *radius, int steps, long l2, long l3,
                     long tile[RANK]);

/* mer_stencil_create, and the lengths of tiles; null: as is best.  Tests cut small blocks by it. */
mer_stencil *mer_stencil_create_cut(const mer_array *prototype, const struct mer_stencil_spec *spec,
                                    const long *tile);

/* Take `count' steps, of which step j computes box[j].  Afterwards the levels stand as after single steps:
 * the newest one in l->u for an even count, in l->out for an odd one. */
void mer_skew_run(const struct mer_stencil *s, const struct mer_level *l, int count,
                  const struct mer_box *box);

#endif
