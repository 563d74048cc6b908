/* The innermost loops of stencils: sums of products over rows. */
#ifndef MER_ARRAY_ROWS_H
#define MER_ARRAY_ROWS_H

#include <meridian/array.h>
#include <stddef.h>

#define MER_ROW_TERMS 9 /* most of one pass */

/* out[i] = c[0] * in[0][i] + c[1] * in[1][i] + ..., in this order; add: out[i] + c[0] * ...  n elements, in
 * each of so many rows, whose beginnings are `next' elements apart. */
typedef void mer_row(void *out, const void *const *in, const double *c, long n, long rows, ptrdiff_t next);

/* The loop for so many terms, 1 ... MER_ROW_TERMS, of MER_FLOAT32 or MER_FLOAT64, for the processor at hand.
 */
mer_row *mer_row_of(enum mer_type type, int terms, int add);

/* The loop that sets out, and stores whole vectors past the caches (cache.h); null: there is none here. */
mer_row *mer_row_streamed(enum mer_type type, int terms);

#endif
