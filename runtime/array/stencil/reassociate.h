/* Sums of products in an order of their own, with fused multiplications and additions: fewer operations, and
 * results that differ from those of the terms' order by rounding. For processors with AVX2 or AVX-512. */
#ifndef MER_ARRAY_REASSOCIATE_H
#define MER_ARRAY_REASSOCIATE_H

#include "array/stencil/unroll.h"

#define MER_REASSOCIATE_PART 2048 /* bytes of a row, at most, that mer_reassociated_run takes */

/* Makes loops for these terms, of MER_FLOAT32 or MER_FLOAT64, whose offsets are `offset' bytes, in rows along
 * axis `fast', which are `next' bytes apart.  An element's sum does not depend on its place in the row.
 * Returns null if there are no loops for this processor, they do not pay, or there is no memory.  The caller
 * frees the result by free. */
struct mer_reassociated *mer_reassociated_new(enum mer_type type, int terms, const struct mer_term *term,
                                              const ptrdiff_t *offset, int fast, ptrdiff_t next);

/* Returns the number of terms that would cost as much in their own order. */
int mer_reassociated_terms(const struct mer_reassociated *p);

/* Runs the loops.  They also read elements of u, and of the level before, up to the stencil's reach along the
 * row from those that the terms name; the values of these do not matter. */
void mer_reassociated_run(const struct mer_reassociated *p, const struct mer_unroll_at *at);

#endif
