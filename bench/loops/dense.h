/* The loops over dense arrays, with their data and their results: for the versions in UPC and in C. LOOP is
 * one of add, stencil, matmul and transpose. */
#ifndef LOOPS_DENSE_H
#define LOOPS_DENSE_H

#include "loop.h"

#define ROWS 256L    /* of a thread */
#define COLUMNS 512L /* as many as two threads have rows: with these, products are of square matrices */
#define PART (ROWS * COLUMNS)

enum { TIMES_add = 20, TIMES_stencil = 20, TIMES_matmul = 1, TIMES_transpose = 20 };

static inline double first_value(long i, long j) { return (double)((i * 31 + j * 17) % 29); }
static inline double second_value(long i, long j) { return (double)((i * 13 + j * 41) % 23); }

/* Return element i, j of the result for this number of rows; all are exact. */
static inline double right_add(long i, long j, long rows) {
    (void)rows;
    return first_value(i, j) + second_value(i, j);
}
static inline double right_stencil(long i, long j, long rows) {
    if (i == 0 || i == rows - 1 || j == 0 || j == COLUMNS - 1)
        return 0;
    return 0.25 *
           (first_value(i - 1, j) + first_value(i + 1, j) + first_value(i, j - 1) + first_value(i, j + 1));
}
static inline double right_transpose(long i, long j, long rows) {
    return i < COLUMNS && j < rows ? first_value(j, i) : 0;
}
static inline double right_matmul(long i, long j, long rows) {
    double sum = 0;
    for (long k = 0; k < rows && k < COLUMNS; k++)
        sum += first_value(i, k) * second_value(k, j);
    return sum;
}
#define RIGHT_(loop) right_##loop
#define RIGHT(loop) RIGHT_(loop)

/* Returns the number of wrong elements of row i; tests each seventh column, because products take long. */
static inline long count_wrong(const double *row, long i, long rows) {
    long wrong = 0;
    for (long j = i % 7; j < COLUMNS; j += 7)
        wrong += row[j] != RIGHT(LOOP)(i, j, rows);
    return wrong;
}

#endif
