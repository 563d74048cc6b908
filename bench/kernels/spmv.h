/* spmv: products of a sparse matrix with a vector.  The matrix has the structure of finite elements:
 * hexahedra with linear functions on a cube of side^3 nodes, so that a row has an element for each of the
 * up to 27 nodes around, in compressed rows.  Serial C for the versions in UPC, OpenMP and MPI.
 *
 * The elements are integers, and so few steps are taken that all sums are exact: a result is right to the
 * bit.  It is compared with one that is computed without the matrix. */
#ifndef KERNELS_SPMV_H
#define KERNELS_SPMV_H

#define STEPS 6 /* products from one vector on; an even number */
#define MOST 27 /* elements of a row */

static const struct class { int side, rounds; } classes[] = {{32, 30}, {64, 20}, {100, 20}};
static long side, n;         /* nodes, and rows of the matrix */
static long rows, first_row; /* this thread's */
static long low, high;       /* columns in which these have elements, and some more: low ... high - 1 */

/* Row i of this thread has value[k] in column low + column[k] for start[i] <= k < start[i + 1]. */
static struct {
    long *start;
    int *column;
    double *value;
} matrix;

/* Rows first ... end - 1 need the vector from low_of(first) up to, and without, high_of(end). */
static long low_of(long first) {
    long from = first - side * side - side - 1;
    return from > 0 ? from : 0;
}
static long high_of(long end) {
    long to = end + side * side + side + 1;
    return to < n ? to : n;
}

/* The columns of a row, in ascending order; how many. */
static int neighbours(long row, long *columns) {
    long z = row / (side * side), y = row / side % side, x = row % side;
    int many = 0;
    for (long k = z > 0 ? z - 1 : 0; k <= z + 1 && k < side; k++)
        for (long j = y > 0 ? y - 1 : 0; j <= y + 1 && j < side; j++)
            for (long i = x > 0 ? x - 1 : 0; i <= x + 1 && i < side; i++)
                columns[many++] = (k * side + j) * side + i;
    return many;
}

static void make_matrix(void) {
    long columns[MOST];
    low = low_of(first_row);
    high = high_of(first_row + rows);
    matrix.start = need(calloc(rows + 1, sizeof *matrix.start));
    matrix.column = need(malloc((rows * MOST + 1) * sizeof *matrix.column));
    matrix.value = need(malloc((rows * MOST + 1) * sizeof *matrix.value));
    for (long i = 0, at = 0; i < rows; i++) {
        int many = neighbours(first_row + i, columns);
        for (int k = 0; k < many; k++, at++) {
            matrix.column[at] = (int)(columns[k] - low);
            matrix.value[at] = columns[k] == first_row + i ? MOST - 1 : -1;
        }
        matrix.start[i + 1] = at;
    }
}

/* The vector from which the products begin. */
static double begin_value(long i) { return (double)(i * 7919 % 17 - 8); }

/* A row's product with the vector from column low on. */
static inline double row_product(long i, const double *x) {
    double sum = 0;
    for (long k = matrix.start[i]; k < matrix.start[i + 1]; k++)
        sum += matrix.value[k] * x[matrix.column[k]];
    return sum;
}

/* How many of this thread's elements of the result are wrong. */
static long count_wrong(const double *result) {
    double *x = need(malloc(n * sizeof *x)), *y = need(malloc(n * sizeof *y));
    long columns[MOST], wrong = 0;
    for (long i = 0; i < n; i++)
        x[i] = begin_value(i);
    for (int step = 0; step < STEPS; step++) {
        for (long i = 0; i < n; i++) {
            int many = neighbours(i, columns);
            y[i] = MOST * x[i];
            for (int k = 0; k < many; k++)
                y[i] -= x[columns[k]];
        }
        double *old = x;
        x = y;
        y = old;
    }
    for (long i = 0; i < rows; i++)
        wrong += result[i] != x[first_row + i];
    free(x);
    free(y);
    return wrong;
}

#endif
