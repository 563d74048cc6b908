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

/* The same for levels that come from memory, and what is fetched meanwhile: a line at front for each line of
 * the first row, and so on with the rows; of what is stored into, the next row. */
struct mer_row_part {
    long count, rows;
    ptrdiff_t next; /* elements */
    const char *front;
};
typedef void mer_row_fetching(void *out, const void *const *in, const double *c,
                              const struct mer_row_part *part);

/* The loops that set out: streamed: whole vectors past the caches (cache.h), where what is stored into is not
 * fetched; kept: as ever.  Null: there is none here. */
mer_row_fetching *mer_row_streamed(enum mer_type type, int terms);
mer_row_fetching *mer_row_kept(enum mer_type type, int terms);

#endif
