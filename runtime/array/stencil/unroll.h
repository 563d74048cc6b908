/* Sums of products over several rows at a time (unroll and jam): an element that several rows' sums need is
 * loaded once, into a register.  For processors with AVX2 or AVX-512, whose registers hold the sums of four
 * rows. */
#ifndef MER_ARRAY_UNROLL_H
#define MER_ARRAY_UNROLL_H

#include <meridian/stencil.h>
#include <stdbool.h>
#include <stddef.h>

#define MER_UNROLL_PART 4096 /* bytes of a row, at most, that mer_unrolled_run takes */

/* Makes loops for these terms, of MER_FLOAT32 or MER_FLOAT64, whose offsets are `offset' bytes, for rows that
 * are `next' bytes apart.  Every sum adds its terms in their order.  Returns null if there are no loops for
 * this processor, or no memory. */
struct mer_unrolled *mer_unrolled_new(enum mer_type type, int terms, const struct mer_term *term,
                                      const ptrdiff_t *offset, ptrdiff_t next);
void mer_unrolled_free(struct mer_unrolled *p);

/* Returns true if the loops are machine code. */
bool mer_unrolled_coded(const struct mer_unrolled *p);

/* Returns true if the loops load fewer elements than they have products. */
bool mer_unrolled_shares(const struct mer_unrolled *p);

/* The place of a run, by first elements, and its kinds of stores and prefetches. */
struct mer_unroll_at {
    char *out; /* also the level before, if there are terms of it */
    const char *u;
    long n, rows;         /* elements in a row, rows */
    bool stream;          /* store past the caches (cache.h); not with terms of the level before */
    ptrdiff_t ahead;      /* bytes from each element of u to the place to prefetch; 0 for no prefetch */
    ptrdiff_t ahead_made; /* likewise for out */
};
void mer_unrolled_run(const struct mer_unrolled *p, const struct mer_unroll_at *at);

#endif
