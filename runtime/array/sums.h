/* Sums of terms for the element types that rows.h has no loops for: integers, complex numbers, long double
 * and quad.  They are functions of rows, whose context is the list of terms. */
#ifndef MER_ARRAY_SUMS_H
#define MER_ARRAY_SUMS_H

#include <meridian/stencil.h>

#include <stdbool.h>

struct mer_sums {
    int terms;
    const struct mer_term *term; /* those of the level before come first */
    const ptrdiff_t *offset;     /* bytes, of each term */
};

/* The function for arrays of this type; null for MER_FLOAT32 and MER_FLOAT64. */
mer_stencil_rows *mer_sums_of(enum mer_type type);

/* Whether sums of this type may have such a coefficient: those of integers are whole numbers. */
bool mer_sums_take(enum mer_type type, double coefficient);

#endif
