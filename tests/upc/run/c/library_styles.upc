// Idioms of older UPC programs: void main's cousins, upc_barrier with parentheses, casts in every place,
// printf of size_t as int, blocked matrices over defines, pointers to blocks by &a[i * B].
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../check.h"

#define N 16
#define BLK (N * N / 4)
#define IDX(i, j) ((i) * N + (j))
typedef struct {
    shared[] double *data;
    int rows, cols;
} matrix_t;
typedef shared[] double *sdp;
shared[BLK] double grid[BLK * THREADS];
shared matrix_t mats[THREADS];
shared sdp directory[THREADS];
extern shared int declared_later[];
shared int declared_later[4 * THREADS];
static double reduce(shared[BLK] double v[], int n);

static double reduce(shared[BLK] double v[], int n) {
    double s = 0;
    int i;
    for (i = 0; i < n; i++)
        s += v[i];
    return s;
}

int main(int argc, char **argv) {
    int i, j;
    (void)argc, (void)argv;
    for (i = 0; i < BLK; i++)
        grid[MYTHREAD * BLK + i] = 1;
    upc_barrier(1);
    CHECK(reduce(grid, BLK * THREADS) == BLK * THREADS);
    CHECK(reduce(&grid[BLK * MYTHREAD], BLK) == BLK);
    mats[MYTHREAD].rows = mats[MYTHREAD].cols = 3;
    mats[MYTHREAD].data = (shared[] double *)upc_alloc(9 * sizeof(double));
    directory[MYTHREAD] = mats[MYTHREAD].data;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            mats[MYTHREAD].data[i * mats[MYTHREAD].cols + j] = IDX(i, j);
    upc_barrier(2);
    {
        matrix_t m = mats[(MYTHREAD + 1) % THREADS];
        sdp d = directory[(MYTHREAD + 1) % THREADS];
        CHECK(m.data == d && d[4] == IDX(1, 1));
        double *mine = (double *)directory[MYTHREAD];
        CHECK(mine[8] == IDX(2, 2));
    }
    upc_forall(i = 0; i < 4 * THREADS; i++; (shared void *)&declared_later[i]) declared_later[i] = i * i;
    upc_barrier;
    for (i = 0; i < 4 * THREADS; ++i)
        if (declared_later[i] != i * i)
            upc_global_exit(-1);
    if (MYTHREAD == 0)
        fprintf(stderr, "%d %d\n", (int)upc_threadof((shared void *)&declared_later[1]), (int)sizeof(shared int *));
    upc_notify(5);
    upc_wait(5);
    return (0);
}
