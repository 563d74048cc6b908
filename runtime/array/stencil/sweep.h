/* A stencil at work on one process: boxes of elements of a time level, in an order that keeps the elements
 * that they read in the caches. */
#ifndef MER_ARRAY_SWEEP_H
#define MER_ARRAY_SWEEP_H

#include "array/move/halo.h"
#include "array/stencil/reassociate.h"
#include "array/stencil/rows.h"
#include "array/stencil/sums.h"
#include "array/stencil/unroll.h"

struct mer_stencil {
    const struct mer_geometry *g;
    int terms;
    struct mer_term *term;
    double *coefficient;
    ptrdiff_t *offset; /* bytes, of each term */
    mer_stencil_rows *rows;
    mer_stencil_tile *tile;
    void *context;
    struct mer_sums sums; /* the context of rows, for terms of types without loops in rows.h */
    int radius[RANK];
    int steps;                         /* most steps that an exchange serves */
    bool two_levels;                   /* old elements are read */
    bool corners;                      /* elements at offsets along several axes at once are read */
    bool absorbs;                      /* there are absorbing faces */
    long skewed_tile[RANK];            /* lengths of tiles over several steps; 0 if the axis is not cut */
    bool skews;                        /* steps are taken tile by tile */
    bool large;                        /* levels are larger than the caches */
    ptrdiff_t front;                   /* bytes from an element to the last row that it reads */
    mer_row_fetching *streamed, *kept; /* loops for large levels, past the caches and into them; or null */
    bool keeps_later;                  /* `kept' is also for tiles that are in a cache */
    struct mer_halo *halo;
    const struct mer_array *fetched;       /* the array whose halo is being fetched in two calls; or null */
    uint64_t fetch_digest;                 /* of the call that has started that fetch */
    struct mer_reassociated *reassociated; /* sums in another order, instead of all loops below; or null */
    struct mer_unrolled *planes;           /* several planes at a time, from memory; or null */
    struct mer_unrolled *unrolled;         /* several rows at a time, instead of the loops below; or null */
    mer_row **pass;                        /* the loop of each MER_ROW_TERMS terms */
    const void **at;                       /* the addresses of a row's terms */
    ptrdiff_t step[RANK];                  /* elements */
};

/* Rows of the two levels that are prefetched between the sums of other rows, a line of each at a time, so
 * that memory works while the processor computes: a line for `share' lines of sums. */
struct mer_ahead {
    const char *u, *out; /* the first row */
    ptrdiff_t next;      /* bytes from a row to the next */
    long rows, bytes;    /* of a row */
    long share;
    long row, done; /* the progress: the row, and bytes of it */
    long owed;      /* bytes of sums that have not been counted yet */
};

/* Two time levels by their first elements of the block, and the block. */
struct mer_level {
    char *u, *out; /* the newest level; the new one, in the memory of the level before */
    struct mer_box block;
    /* values: steps of the same call have set the elements beyond faces of the kind MER_VALUE, around u and
     * around out, for the block and values[] - 1 radii around it; 0 if none are set.  stand: those that the
     * current step needs are set. */
    int values[2];
    bool stand;
    bool large;              /* the levels are larger than the caches, and steps are not taken tile by tile */
    bool fetches;            /* the levels come from memory, and the new one is read again soon */
    struct mer_ahead *ahead; /* rows to prefetch meanwhile; or null */
};

static inline bool mer_box_empty(const struct mer_geometry *g, const struct mer_box *box) {
    for (int k = 0; k < g->rank; k++)
        if (box->high[k] <= box->low[k])
            return true;
    return false;
}

/* Compute the box's elements of the new level.  faces: the elements beyond faces are set too, part by part,
 * just before they are read; not for stencils with absorbing faces, which read the level before. */
void mer_sweep_box(const struct mer_stencil *s, const struct mer_level *l, const struct mer_box *box,
                   bool faces);

/* Returns true if later rows can be prefetched (struct mer_ahead) while a part is computed. */
bool mer_sweep_takes_ahead(const struct mer_stencil *s);

/* Choose the lengths of tiles for so many steps, so that a tile's levels stay in a cache; l2, l3: bytes of
 * cache that a process may count on.  Returns false if that does not pay: there is one step only, the block
 * stays in a cache anyway, or tiles would be too short. */
bool mer_skew_choose(const struct mer_geometry *g, const int *radius, int steps, long l2, long l3,
                     long tile[RANK]);

/* mer_stencil_create with given lengths of tiles, or with the best ones if tile is null.  Tests cut small
 * blocks by it. */
mer_stencil *mer_stencil_create_cut(const mer_array *prototype, const struct mer_stencil_spec *spec,
                                    const long *tile);

/* Take `count' steps, of which step j computes box[j].  Afterwards the levels lie as after single steps: the
 * newest one in l->u for an even count, in l->out for an odd one. */
void mer_skew_run(const struct mer_stencil *s, const struct mer_level *l, int count,
                  const struct mer_box *box);

#endif
