/* Halos: the copies of neighbours' elements around a block, and the elements that faces of the whole array
 * set there. */
#ifndef MER_ARRAY_HALO_H
#define MER_ARRAY_HALO_H

#include "array/layout/object.h"

#include <meridian/stencil.h>

/* A box of elements by index in the whole array, [low, high); faces set the elements below 0 and from the
 * extent on. */
struct mer_box {
    long low[RANK], high[RANK];
};

struct mer_halo;

/* Makes a halo, inside a collective call.  width: of the halo that is kept up to date; corners: its corners
 * too, which come by way of the neighbours along the axes, one axis after the other.  wrapped[k]: axis k is
 * periodic and lies wholly in each process, where mer_halo_faces sets its halo; nothing of it is fetched. */
struct mer_halo *mer_halo_new(const struct mer_geometry *g, const int *width, bool corners,
                              struct mer_face face[RANK][2], const bool *wrapped);
void mer_halo_free(struct mer_halo *h);

/* Fetch the halo of the array whose first element of this block is at `local': start sends, finish waits. */
void mer_halo_start(struct mer_halo *h, char *local, uint64_t digest);
void mer_halo_finish(struct mer_halo *h, char *local, uint64_t digest);

/* Set the elements up to `reach' beyond the whole array's ends, around the box, as faces and wrapped axes
 * demand.  old: the level before, for absorbing faces.  stand: the elements beyond faces of the kind
 * MER_VALUE have been set already.  They keep their value: no other face, and no exchange, sets such an
 * element to anything else. */
void mer_halo_faces(const struct mer_halo *h, char *local, const char *old, const struct mer_box *box,
                    const int *reach, bool stand);

/* Sets *block to this thread's block.  Returns false if it has no elements. */
bool mer_halo_block(const struct mer_geometry *g, struct mer_box *block);

/* Returns true if the array wraps around along axis k, and the exchange brings the halo at its ends. */
bool mer_halo_wraps(const struct mer_halo *h, int k);

/* Returns true if mer_halo_faces copies that halo from the axis's other end. */
bool mer_halo_wraps_here(const struct mer_halo *h, int k);

#endif
