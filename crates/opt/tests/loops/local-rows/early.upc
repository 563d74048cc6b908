/* Rows whose numbers cannot be computed if the loop does not reach them: the divisor is 0. */
#include <stdio.h>
#include <upc_relaxed.h>
#define W 8
shared [W] int a[2 * THREADS][W];

static long row(int x, int n) {
    long s = 0;
    for (int j = 0; j < n; j++) //> not local-rows: not all accesses of the loop are to rows that stay the same
        s += a[x / n][j];
    return s;
}

static long under(int x, int n, int by) {
    long s = 0;
    for (int j = 0; j < n; j++) //> not local-rows: not all accesses of the loop are to rows that stay the same
        if (by)
            s += a[x % by][j];
    return s;
}

static long halves(int x, int n) {
    long s = 0;
    for (int j = 0; j < n; j++) //> local-rows: by the places of 1 rows
        s += a[x / 2][j];
    return s;
}

int main(void) {
    if (MYTHREAD == 0)
        for (int i = 0; i < 2 * THREADS; i++)
            for (int j = 0; j < W; j++) //> local-rows: by the places of 1 rows
                a[i][j] = i * 10 + j;
    upc_barrier;
    printf("%d: %ld %ld %ld %ld %ld %ld\n", MYTHREAD, row(3, 0), row(3, 3), under(3, 8, 0), under(3, 8, 2),
           halves(3, 0), halves(3, 8));
    return 0;
}
