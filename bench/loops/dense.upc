/* Loops over dense shared arrays in their simplest form: upc_forall, with reads of local and remote data.
 * With BULK by hand: each thread copies the needed elements of other threads, and computes by pointers to its
 * own memory. LOOP selects the loop: add, stencil, matmul or transpose. */
#include "../../examples/nas/nas.h"
#include "dense.h"

#include <bupc_extensions.h>

static shared [PART] double a[ROWS * THREADS][COLUMNS], b[ROWS * THREADS][COLUMNS];
static shared [PART] double c[ROWS * THREADS][COLUMNS];

/* This thread's rows. */
#define OWN(array) ((double (*)[COLUMNS])array[MYTHREAD * ROWS])

static void fill(void) {
    upc_forall (long i = 0; i < ROWS * THREADS; i++; &a[i][0])
        for (long j = 0; j < COLUMNS; j++) {
            a[i][j] = first_value(i, j);
            b[i][j] = second_value(i, j);
            c[i][j] = 0;
        }
    upc_barrier;
}

#ifndef BULK
static inline void add(void) {
    upc_forall (long i = 0; i < ROWS * THREADS; i++; &c[i][0])
        for (long j = 0; j < COLUMNS; j++)
            c[i][j] = a[i][j] + b[i][j];
    upc_barrier;
}

static inline void stencil(void) {
    upc_forall (long i = 1; i < ROWS * THREADS - 1; i++; &c[i][0])
        for (long j = 1; j < COLUMNS - 1; j++)
            c[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    upc_barrier;
}

static inline void matmul(void) {
    long n = ROWS * THREADS < COLUMNS ? ROWS * THREADS : COLUMNS;
    upc_forall (long i = 0; i < ROWS * THREADS; i++; &c[i][0])
        for (long j = 0; j < COLUMNS; j++) {
            double sum = 0;
            for (long k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    upc_barrier;
}

static inline void transpose(void) {
    long n = ROWS * THREADS < COLUMNS ? ROWS * THREADS : COLUMNS;
    upc_forall (long i = 0; i < n; i++; &c[i][0])
        for (long j = 0; j < n; j++)
            c[i][j] = a[j][i];
    upc_barrier;
}
#else
static inline void add(void) {
    double(*x)[COLUMNS] = OWN(a), (*y)[COLUMNS] = OWN(b), (*z)[COLUMNS] = OWN(c);
    for (long i = 0; i < ROWS; i++)
        for (long j = 0; j < COLUMNS; j++)
            z[i][j] = x[i][j] + y[i][j];
    upc_barrier;
}

/* Computes a row between two others. */
static void stencil_row(double *to, const double *above, const double *row, const double *below) {
    for (long j = 1; j < COLUMNS - 1; j++)
        to[j] = 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1]);
}

static inline void stencil(void) {
    static double above[COLUMNS], below[COLUMNS];
    double(*x)[COLUMNS] = OWN(a), (*z)[COLUMNS] = OWN(c);
    long first = MYTHREAD * ROWS;
    bool top = MYTHREAD == 0, bottom = MYTHREAD == THREADS - 1;
    if (!top)
        upc_memget_nbi(above, &a[first - 1][0], sizeof above);
    if (!bottom)
        upc_memget_nbi(below, &a[first + ROWS][0], sizeof below);
    for (long i = 1; i < ROWS - 1; i++)
        stencil_row(z[i], x[i - 1], x[i], x[i + 1]);
    upc_synci();
    if (!top)
        stencil_row(z[0], above, x[0], x[1]);
    if (!bottom)
        stencil_row(z[ROWS - 1], x[ROWS - 2], x[ROWS - 1], below);
    upc_barrier;
}

static inline void matmul(void) {
    static double (*all)[COLUMNS];
    double(*x)[COLUMNS] = OWN(a), (*z)[COLUMNS] = OWN(c);
    long n = ROWS * THREADS < COLUMNS ? ROWS * THREADS : COLUMNS;
    if (!all)
        all = need(malloc(THREADS * PART * sizeof(double)));
    for (int t = 0; t < THREADS; t++)
        upc_memget_nbi(all[t * ROWS], &b[t * ROWS][0], PART * sizeof(double));
    upc_synci();
    for (long i = 0; i < ROWS; i++)
        for (long j = 0; j < COLUMNS; j++) {
            double sum = 0;
            for (long k = 0; k < n; k++)
                sum += x[i][k] * all[k][j];
            z[i][j] = sum;
        }
    upc_barrier;
}

static inline void transpose(void) {
    static double (*block)[ROWS];
    double(*z)[COLUMNS] = OWN(c);
    if (!block)
        block = need(malloc(ROWS * ROWS * sizeof(double)));
    int threads = THREADS < COLUMNS / ROWS ? THREADS : COLUMNS / ROWS; /* those with a part of the square */
    for (int step = 0; step < threads && MYTHREAD < threads; step++) {
        int t = (MYTHREAD + step) % threads;
        const size_t piece = ROWS * sizeof(double);
        bupc_memget_fstrided(block, piece, piece, ROWS, &a[t * ROWS][MYTHREAD * ROWS], piece,
                             COLUMNS * sizeof(double), ROWS);
        for (long i = 0; i < ROWS; i++)
            for (long j = 0; j < ROWS; j++)
                z[i][t * ROWS + j] = block[j][i];
    }
    upc_barrier;
}
#endif

int main(int argc, char **argv) {
    int class = read_class(argc, argv);
    fill();
    LOOP();
    int times = rounds[class] * TIMES(LOOP);
    double begin = seconds();
    for (int round = 0; round < times; round++)
        LOOP();
    double took = seconds() - begin, wrong = 0;
    double(*z)[COLUMNS] = OWN(c);
    for (long i = 0; i < ROWS; i++)
        wrong += count_wrong(z[i], MYTHREAD * ROWS + i, ROWS * THREADS);
    bool good = agrees("the number of wrong elements", all_sum(wrong), 0, 0);
    return verdict(NAME(LOOP), class, good, took, (double)PART * THREADS * times);
}
