/* Plans of sums over several rows at a time (unroll.c): lists of operations, which are gone through, or made
 * into machine code (code.c). */
#ifndef MER_ARRAY_PLAN_H
#define MER_ARRAY_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#define MER_PLAN_ROWS 4 /* most */

/* Adds the product of a few vectors that follow each other with factor[r] to the sums of the rows r of
 * first ... end - 1. */
struct mer_operation {
    ptrdiff_t at; /* bytes from the element of the first row; in u, or in the level before */
    int first, end;
    bool old;
    int kind; /* of first, end, and whether all are by the factor of the first (unroll.c) */
    double factor[MER_PLAN_ROWS];
};

struct mer_plan {
    int count;
    struct mer_operation *operation;
};

#endif
