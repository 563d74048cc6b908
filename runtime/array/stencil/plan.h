/* Plans of sums over several rows at a time (unroll.c): lists of operations, which are interpreted, or
 * compiled to machine code (code.c). */
#ifndef MER_ARRAY_PLAN_H
#define MER_ARRAY_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#define MER_PLAN_ROWS 4 /* most */

/* Adds the product of a few consecutive vectors with factor[r] to the sum of each row r, first <= r < end. */
struct mer_operation {
    ptrdiff_t at; /* bytes from the element of the first row; in u, or in the level before */
    int first, end;
    bool old;
    int kind; /* combines first, end, and whether all rows have the factor of the first (unroll.c) */
    double factor[MER_PLAN_ROWS];
};

struct mer_plan {
    int count;
    struct mer_operation *operation;
};

#endif
