/* Nests that may have no iterations, or none of the inner loop: then the divisor is 0. */
#include <stdio.h>
#include <upc_relaxed.h>
#define W 8
shared [W] int a[4 * THREADS][W];

static long empty(int m, int n) {
    long s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m / n; j++)
            s += a[j][i];
    return s;
}

static long placed(int m, int n) {
    long s = 0;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 3; j++)
                s += a[j + i][m / n];
    return s;
}

static long halves(int m, int n) {
    long s = 0;
    for (int i = 0; i < n; i++) //> sections: copies of [a]
        for (int j = 0; j < m / 2; j++)
            s += a[j][i];
    return s;
}

int main(void) {
    if (MYTHREAD == 0)
        for (int i = 0; i < 4 * THREADS; i++)
            for (int j = 0; j < W; j++)
                a[i][j] = i * 10 + j;
    upc_barrier;
    printf("%d: %ld %ld %ld %ld %ld %ld\n", MYTHREAD, empty(4, 0), empty(4, 2), placed(4, 0), placed(4, 2),
           halves(4, 0), halves(4, 2));
    return 0;
}
