/* Sums of terms for the element types without loops in rows.h: integers, complex numbers, long double and
 * quad.  They are functions of rows (mer_stencil_rows), whose context is the list of terms. */
#ifndef MER_ARRAY_SUMS_H
#define MER_ARRAY_SUMS_H

#include <meridian/stencil.h>

#include <stdbool.h>

struct mer_sums {
    int terms;
    const struct mer_term *term; /* terms of the level before come first */
    const ptrdiff_t *offset;     /* bytes, of each term */
};

/* Returns the function for arrays of this type; null for MER_FLOAT32 and MER_FLOAT64. */
mer_stencil_rows *mer_sums_of(enum mer_type type);

/* Returns true if sums of this type may have such a coefficient: for integers it has to be a whole number. */
bool mer_sums_take(enum mer_type type, double coefficient);

#endif
