/* The loops of dense.upc in C. With OpenMP one process has all rows, and its threads compute equal shares of
 * them. With MPI each process has some rows, and sends to others the elements that they need: the rows at its
 * ends, its part of the second factor to all, or to each the block that is transposed. Then the messages make
 * the processes wait for each other once a round, as the barriers of dense.upc do; an addition has a
 * barrier. */
#include "../c/parallel.h"
#include "dense.h"

static double (*a)[COLUMNS], (*b)[COLUMNS], (*c)[COLUMNS];
static long rows, first; /* the number of this process's rows, and the first of them */
static long total, n;    /* rows of all processes; rows of the square for products and transpositions */

/* Allocates the rows of this process, and one more before and after them. */
static double (*allocated(void))[COLUMNS] {
    double(*array)[COLUMNS] = need(malloc((size_t)(rows + 2) * sizeof *array));
    return array + 1;
}

static void fill(void) {
#pragma omp parallel for
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < COLUMNS; j++) {
            a[i][j] = first_value(first + i, j);
            b[i][j] = second_value(first + i, j);
            c[i][j] = 0;
        }
}

static inline void add(void) {
#pragma omp parallel for
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < COLUMNS; j++)
            c[i][j] = a[i][j] + b[i][j];
    all_wait();
}

/* Exchanges the rows at the ends with the neighbouring processes. */
static void exchange_rows(void) {
#ifdef WITH_MPI
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank < processes - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(a[0], COLUMNS, MPI_DOUBLE, above, 0, a[rows], COLUMNS, MPI_DOUBLE, below, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(a[rows - 1], COLUMNS, MPI_DOUBLE, below, 1, a[-1], COLUMNS, MPI_DOUBLE, above, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
}

static inline void stencil(void) {
    exchange_rows();
    long end = first + rows == total ? rows - 1 : rows;
#pragma omp parallel for
    for (long i = first == 0; i < end; i++)
        for (long j = 1; j < COLUMNS - 1; j++)
            c[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

/* Returns all rows of b. */
static double (*gathered(void))[COLUMNS] {
#ifdef WITH_MPI
    static double(*all)[COLUMNS];
    if (!all)
        all = need(malloc((size_t)total * sizeof *all));
    int part = (int)(rows * COLUMNS);
    MPI_Allgather(b, part, MPI_DOUBLE, all, part, MPI_DOUBLE, MPI_COMM_WORLD);
    return all;
#else
    return b;
#endif
}

static inline void matmul(void) {
    double(*all)[COLUMNS] = gathered();
#pragma omp parallel for
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < COLUMNS; j++) {
            double sum = 0;
            for (long k = 0; k < n; k++)
                sum += a[i][k] * all[k][j];
            c[i][j] = sum;
        }
}

#ifdef WITH_MPI
/* Returns the number of the square's rows that a process has. */
static long square_rows(int process) {
    long left = n - process * rows;
    return left < 0 ? 0 : left < rows ? left : rows;
}

/* Sends the columns of each process to it, row by row, and transposes them there. */
static inline void transpose(void) {
    static double *out, *in;
    static int *counts, *places;
    long own = square_rows(rank);
    if (!out) {
        out = need(malloc((size_t)(rows * n) * sizeof *out));
        in = need(malloc((size_t)(rows * n) * sizeof *in));
        counts = need(malloc((size_t)processes * sizeof *counts));
        places = need(malloc((size_t)processes * sizeof *places));
    }
    double *to = out;
    for (int p = 0; p < processes; p++) {
        places[p] = (int)(to - out);
        for (long i = 0; i < own; i++, to += square_rows(p))
            memcpy(to, a[i] + p * rows, (size_t)square_rows(p) * sizeof *to);
        counts[p] = (int)(to - out) - places[p];
    }
    /* A process receives as much from another as it sends to it: the square is symmetric. */
    MPI_Alltoallv(out, counts, places, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int p = 0; p < processes; p++) {
        const double *from = in + places[p];
        for (long i = 0; i < own; i++)
            for (long j = 0; j < square_rows(p); j++)
                c[i][p * rows + j] = from[j * own + i];
    }
}
#else
static inline void transpose(void) {
#pragma omp parallel for
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            c[i][j] = a[j][i];
}
#endif

int main(int argc, char **argv) {
    int class = parallel_begin(argc, argv, "SWA");
    rows = ROWS * threads_of_process();
    first = rank * rows;
    total = processes * rows;
    n = total < COLUMNS ? total : COLUMNS;
    a = allocated();
    b = allocated();
    c = allocated();
    fill();
    LOOP();
    int times = rounds[class] * TIMES(LOOP);
    all_wait();
    double begin = seconds();
    for (int round = 0; round < times; round++)
        LOOP();
    all_wait();
    double took = seconds() - begin, wrong = 0;
    for (long i = 0; i < rows; i++)
        wrong += count_wrong(c[i], first + i, total);
    bool good = agrees("the number of wrong elements", all_sum(wrong), 0, 0);
    return verdict(NAME(LOOP), good, took, (double)total * COLUMNS * times);
}
