/* spmv: products of a sparse matrix with a vector, in compressed rows. Serial C for the versions in UPC,
 * OpenMP and MPI, which include it after the definitions for market.h, share_of and first_of.
 *
 * The matrix is that of a file (market.h), if the program's argument names one. Else it has the structure of
 * finite elements: hexahedra with linear functions on a cube of side^3 nodes, so that a row has an element
 * for each of the up to 27 nodes around. Its elements are integers, and the number of steps is small enough
 * that all sums are exact: a result must be right to the bit. It is compared with a product computed without
 * the matrix; the result for a file is compared with one computed from the elements in the order of the
 * file. */
#ifndef KERNELS_SPMV_H
#define KERNELS_SPMV_H

#include "market.h"

#define STEPS 6 /* products from one vector on; an even number */
#define MOST 27 /* elements of a row */

static const struct class { int side, rounds; } classes[] = {{32, 30}, {64, 20}, {100, 20}};
static long side, n;         /* nodes along an edge, and rows of the matrix */
static long rows, first_row; /* of this thread */
static long low, high;       /* columns of the elements of these rows, and some more: low ... high - 1 */
static struct market file;   /* of the matrix of a file */

/* The bounds low and high of thread t of `parts', in lows[t] and highs[t]. */
static long *lows, *highs;

/* Row i of this thread has value[k] in column low + column[k] for start[i] <= k < start[i + 1]. */
static struct {
    long *start;
    int *column;
    double *value;
} matrix;

/* Rows first ... end - 1 of the cube need the vector from low_of(first) up to, and without, high_of(end). */
static long low_of(long first) {
    long from = first - side * side - side - 1;
    return from > 0 ? from : 0;
}
static long high_of(long end) {
    long to = end + side * side + side + 1;
    return to < n ? to : n;
}

/* Finds the columns of a row, in ascending order. Returns their number. */
static int neighbours(long row, long *columns) {
    long z = row / (side * side), y = row / side % side, x = row % side;
    int many = 0;
    for (long k = z > 0 ? z - 1 : 0; k <= z + 1 && k < side; k++)
        for (long j = y > 0 ? y - 1 : 0; j <= y + 1 && j < side; j++)
            for (long i = x > 0 ? x - 1 : 0; i <= x + 1 && i < side; i++)
                columns[many++] = (k * side + j) * side + i;
    return many;
}

static void make_cube(int parts) {
    long columns[MOST];
    for (int t = 0; t < parts; t++) {
        lows[t] = low_of(first_of(t, n));
        highs[t] = high_of(first_of(t + 1, n));
    }
    matrix.column = need(malloc((rows * MOST + 1) * sizeof *matrix.column));
    matrix.value = need(malloc((rows * MOST + 1) * sizeof *matrix.value));
    for (long i = 0, at = 0; i < rows; i++) {
        int many = neighbours(first_row + i, columns);
        for (int k = 0; k < many; k++, at++) {
            matrix.column[at] = (int)(columns[k] - lows[part]);
            matrix.value[at] = columns[k] == first_row + i ? MOST - 1 : -1;
        }
        matrix.start[i + 1] = at;
    }
}

/* Finds the elements of the vector that each part needs: its own, and the columns of its rows. */
static void bound_file(int parts) {
    int *owner = need(malloc(n * sizeof *owner));
    for (int t = 0; t < parts; t++) {
        lows[t] = first_of(t, n);
        highs[t] = first_of(t + 1, n);
        for (long i = lows[t]; i < highs[t]; i++)
            owner[i] = t;
    }
    for (long k = 0; k < file.many; k++) {
        int t = owner[file.row[k]];
        lows[t] = file.column[k] < lows[t] ? file.column[k] : lows[t];
        highs[t] = file.column[k] >= highs[t] ? file.column[k] + 1 : highs[t];
    }
    free(owner);
}

/* Makes the rows of a file's matrix. Elements of a row stay in the order of the file. */
static void make_of_file(int parts) {
    bound_file(parts);
    long *at = need(calloc(rows + 1, sizeof *at));
    for (long k = 0; k < file.many; k++)
        if (file.row[k] >= first_row && file.row[k] < first_row + rows)
            matrix.start[file.row[k] - first_row + 1]++;
    for (long i = 0; i < rows; i++)
        at[i] = matrix.start[i + 1] += matrix.start[i];
    matrix.column = need(malloc((matrix.start[rows] + 1) * sizeof *matrix.column));
    matrix.value = need(malloc((matrix.start[rows] + 1) * sizeof *matrix.value));
    for (long k = file.many - 1; k >= 0; k--) {
        long i = file.row[k] - first_row;
        if (i < 0 || i >= rows)
            continue;
        matrix.column[--at[i]] = (int)(file.column[k] - lows[part]);
        matrix.value[at[i]] = file.value[k];
    }
    free(at);
}

/* Makes the part of this thread, one of `parts': of the file's matrix, or of the cube of this class. */
static void make_matrix(const char *path, int class, int parts) {
    if (path)
        file = market_read(path);
    side = classes[class].side;
    n = path ? file.n : side * side * side;
    rows = share_of(part, n);
    first_row = first_of(part, n);
    lows = need(malloc(parts * sizeof *lows));
    highs = need(malloc(parts * sizeof *highs));
    matrix.start = need(calloc(rows + 1, sizeof *matrix.start));
    if (path)
        make_of_file(parts);
    else
        make_cube(parts);
    low = lows[part];
    high = highs[part];
}

/* Returns the first element of part s that part t needs, and their number in *many. */
static inline long needed(int s, int t, long *many) {
    long from = first_of(s, n) > lows[t] ? first_of(s, n) : lows[t];
    long end = first_of(s + 1, n) < highs[t] ? first_of(s + 1, n) : highs[t];
    *many = end > from ? end - from : 0;
    return from;
}

/* Returns an element of the first vector. */
static double begin_value(long i) { return (double)(i * 7919 % 17 - 8); }

/* Returns the product of a row with the vector x, which begins at column low. */
static inline double row_product(long i, const double *x) {
    double sum = 0;
    for (long k = matrix.start[i]; k < matrix.start[i + 1]; k++)
        sum += matrix.value[k] * x[matrix.column[k]];
    return sum;
}

/* Computes y = the matrix times x, for all rows, without the compressed rows. */
static void whole_product(const double *x, double *y) {
    long columns[MOST];
    for (long i = 0; i < n; i++) {
        int many = file.n ? 0 : neighbours(i, columns);
        y[i] = file.n ? 0 : MOST * x[i];
        for (int k = 0; k < many; k++)
            y[i] -= x[columns[k]];
    }
    for (long k = 0; k < file.many; k++)
        y[file.row[k]] += file.value[k] * x[file.column[k]];
}

/* Returns the number of this thread's elements of the result that are wrong. */
static long count_wrong(const double *result) {
    double *x = need(malloc(n * sizeof *x)), *y = need(malloc(n * sizeof *y)), largest = 0;
    long wrong = 0;
    for (long i = 0; i < n; i++)
        x[i] = begin_value(i);
    for (int step = 0; step < STEPS; step++) {
        whole_product(x, y);
        double *old = x;
        x = y;
        y = old;
    }
    for (long i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    for (long i = 0; i < rows; i++)
        wrong += !(fabs(result[i] - x[first_row + i]) <= (file.n ? 1e-10 * largest : 0));
    free(x);
    free(y);
    return wrong;
}

#endif
