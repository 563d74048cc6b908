/* The loops of dense.upc over arrays of one process, with OpenMP: as many rows for each of its threads. */
#include "../c/parallel.h"
#include "dense.h"

static double (*a)[COLUMNS], (*b)[COLUMNS], (*c)[COLUMNS];
static long rows, n; /* of the arrays; of the square that products and transpositions take */

static void fill(void) {
#pragma omp parallel for
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < COLUMNS; j++) {
            a[i][j] = first_value(i, j);
            b[i][j] = second_value(i, j);
            c[i][j] = 0;
        }
}

static inline void add(void) {
#pragma omp parallel for
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < COLUMNS; j++)
            c[i][j] = a[i][j] + b[i][j];
}

static inline void stencil(void) {
#pragma omp parallel for
    for (long i = 1; i < rows - 1; i++)
        for (long j = 1; j < COLUMNS - 1; j++)
            c[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

static inline void matmul(void) {
#pragma omp parallel for
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < COLUMNS; j++) {
            double sum = 0;
            for (long k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static inline void transpose(void) {
#pragma omp parallel for
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            c[i][j] = a[j][i];
}

int main(int argc, char **argv) {
    int class = parallel_begin(argc, argv, "SWA");
    rows = ROWS * threads_of_process();
    n = rows < COLUMNS ? rows : COLUMNS;
    a = need(malloc(rows * sizeof *a));
    b = need(malloc(rows * sizeof *b));
    c = need(malloc(rows * sizeof *c));
    fill();
    LOOP();
    int times = rounds[class] * TIMES(LOOP);
    double begin = seconds();
    for (int round = 0; round < times; round++)
        LOOP();
    double took = seconds() - begin, wrong = 0;
    for (long i = 0; i < rows; i++)
        wrong += count_wrong(c[i], i, rows);
    bool good = agrees("the number of wrong elements", wrong, 0, 0);
    return verdict(NAME(LOOP), good, took, (double)rows * COLUMNS * times);
}
