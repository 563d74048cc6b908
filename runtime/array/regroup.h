/* Sums of products in an order of their own, with fused multiplications and additions: fewer operations, and
 * results that differ from those of the terms' order by rounding. For processors with AVX2 or AVX-512. */
#ifndef MER_ARRAY_REGROUP_H
#define MER_ARRAY_REGROUP_H

#include "array/unroll.h"

#define MER_REGROUP_PART 2048 /* bytes of a row, at most, that mer_regrouped_run takes */

/* The loops for these terms, of MER_FLOAT32 or MER_FLOAT64, whose offsets are `offset' bytes, in rows along
 * axis `fast', which are `next' bytes apart.  An element's sum does not depend on where it lies in its row.
 * Null: there are none for this processor, they do not pay, or no memory.  Freed by free.
 */
struct mer_regrouped *mer_regrouped_new(enum mer_type type, int terms, const struct mer_term *term,
                                        const ptrdiff_t *offset, int fast, ptrdiff_t next);

/* How many terms cost as much in their own order. */
int mer_regrouped_terms(const struct mer_regrouped *p);

/* Reads elements of u, and of the level before, up to the stencil's reach along the row beside those that the
 * terms name, too; what they are does not matter. */
void mer_regrouped_run(const struct mer_regrouped *p, const struct mer_unroll_at *at);

#endif
