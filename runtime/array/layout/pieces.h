/* From a region of one array to the pieces of another that fill it: which thread has them, and where.
 *
 * All moves of elements between threads are described so: shifts, halos, boundaries, redistribution.
 */
#ifndef MER_ARRAY_PIECES_H
#define MER_ARRAY_PIECES_H

#include "array/layout/geometry.h"

/* The elements [low, high) of `to' that thread `thread' needs, in its block or the halo around it.  Element i
 * is element i + shift of `from', along each axis. */
struct mer_region {
    const struct mer_geometry *to, *from;
    int thread;
    int to_slot, from_slot; /* the caller's numbers of the two memories */
    int axis[RANK];         /* of `from', for each axis of `to'; -1: the element is the same along it */
    bool wrap[RANK];        /* modulo the extent of from's axis; else elements outside are left out */
    long low[RANK], high[RANK], shift[RANK];
};

/* A box of a region that one thread has.  Places and distances in bytes, from the block's first element. */
struct mer_piece {
    int to_thread, from_thread;
    int to_slot, from_slot;
    int rank;
    size_t size;
    long count[RANK];
    ptrdiff_t to, from;
    ptrdiff_t to_stride[RANK], from_stride[RANK];
};

typedef void mer_piece_sink(void *context, const struct mer_piece *piece);
void mer_pieces_of(const struct mer_region *region, mer_piece_sink *sink, void *context);

/* Sets *region to the thread's whole block of `to', with the same axes in `from' and no shift.  Returns false
 * if the thread has no block, or an empty one. */
bool mer_region_of_block(struct mer_region *region, const struct mer_geometry *to,
                         const struct mer_geometry *from, int thread);

#endif
