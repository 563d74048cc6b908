// A jagged matrix: an array, itself allocated, of shared pointers to shared rows of different lengths and
// owners; triangular sums, rows swapped by their pointers, one row made longer.
//: clause 6.5.1.1 p9
#include "../../check.h"

typedef shared[] double *row_t;
typedef shared row_t *rows_t;

static int length_of(int i) { return i % 5 + i / 2 + 1; }

static double row_sum(row_t row, int n) {
    double s = 0;
    while (n-- > 0)
        s += *row++;
    return s;
}

static void swap(rows_t rows, int i, int j) {
    row_t kept = rows[i];
    rows[i] = rows[j];
    rows[j] = kept;
}

int main(void) {
    const int n = 4 * THREADS;
    rows_t rows = (rows_t)upc_all_alloc(n, sizeof(row_t));
    shared int *lengths = upc_all_alloc(n, sizeof(int));
    upc_forall (int i = 0; i < n; i++; i) {
        lengths[i] = length_of(i);
        rows[i] = upc_alloc(lengths[i] * sizeof(double));
        for (int j = 0; j < lengths[i]; j++)
            rows[i][j] = i * 10 + j;
    }
    upc_barrier;
    for (int i = 0; i < n; i++) {
        int m = lengths[i];
        CHECK_EQ(m, length_of(i));
        CHECK(row_sum(rows[i], m) == 10.0 * i * m + m * (m - 1) / 2);
        CHECK_EQ(upc_threadof(&rows[i]), i % THREADS);
        CHECK_EQ(upc_threadof(&rows[i][m - 1]), i % THREADS);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        for (int i = 0; i < n / 2; i++)
            swap(rows, i, n - 1 - i);
    upc_barrier;
    for (int i = 0; i < n; i++)
        CHECK(rows[i][0] == (n - 1 - i) * 10);
    CHECK_EQ(upc_threadof(rows[0]), THREADS - 1);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) { /* row 1 gets twice its length, here */
        int m = length_of(n - 2);
        row_t longer = (row_t)upc_alloc(2 * m * sizeof(double));
        upc_memcpy(longer, rows[1], m * sizeof(double));
        upc_memcpy(longer + m, rows[1], m * sizeof(double));
        upc_free(rows[1]);
        rows[1] = longer;
    }
    upc_barrier;
    int m = length_of(n - 2);
    CHECK(row_sum(rows[1], 2 * m) == 2 * row_sum(rows[1], m));
    CHECK(row_sum(rows[1], m) == 10.0 * (n - 2) * m + m * (m - 1) / 2);
    upc_barrier;
    upc_forall (int i = 0; i < n; i++; i)
        upc_free(rows[i]);
    upc_barrier;
    if (MYTHREAD == 0) {
        upc_free(rows);
        upc_free(lengths);
    }
    return 0;
}
