/* The innermost loops of stencils: sums of products over rows. */
#ifndef MER_ARRAY_ROWS_H
#define MER_ARRAY_ROWS_H

#include <meridian/array.h>
#include <stddef.h>

#define MER_ROW_TERMS 9 /* most of one pass */

/* out[i] = c[0] * in[0][i] + c[1] * in[1][i] + ..., in this order; add: out[i] + c[0] * ...  n elements, in
 * each of so many rows, which begin `next' elements apart. */
typedef void mer_row(void *out, const void *const *in, const double *c, long n, long rows, ptrdiff_t next);

/* Returns the loop for so many terms, 1 ... MER_ROW_TERMS, of MER_FLOAT32 or MER_FLOAT64, for this processor.
 */
mer_row *mer_row_of(enum mer_type type, int terms, int add);

/* As mer_row, for levels that come from memory.  These loops prefetch meanwhile: for each line of the first
 * row a line from `front' on, and for each later row one `next' elements further; and the next row of out. */
struct mer_row_part {
    long count, rows;
    ptrdiff_t next; /* elements */
    const char *front;
};
typedef void mer_row_fetching(void *out, const void *const *in, const double *c,
                              const struct mer_row_part *part);

/* Return loops that set out, or null if there are none for this processor.  streamed: they store whole
 * vectors past the caches (cache.h), and do not prefetch out; kept: they store as usual. */
mer_row_fetching *mer_row_streamed(enum mer_type type, int terms);
mer_row_fetching *mer_row_kept(enum mer_type type, int terms);

#endif
