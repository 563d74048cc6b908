/* Shared-out loops downwards, by small steps, and up to a number that they do not pass. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 37

shared int a[N * THREADS], b[N * THREADS];
shared [4] long c[N * THREADS];
shared [4] long d[N * THREADS];
shared [3] int grid[N * THREADS][3];

static long order(long sum, long i) { return (7 * sum + i) % 1000003; }

static long part(int lo, int hi) {
    long sum = 0;
    upc_forall (int i = hi; i > lo; i--; &c[i]) //> forall: own rows of [c], 4 a block, downwards
        sum = order(sum, i + c[i]);
    upc_forall (int i = hi - 1; i >= lo; i -= 3; &c[i + 1]) //> forall: own rows of [c], 4 a block, downwards, in
        sum = order(sum, i + c[i + 1]);
    upc_forall (long i = lo; i < hi; i += 2; &c[i]) //> forall: own rows of [c], 4 a block, in steps of 2
        sum = order(sum, i + c[i]);
    upc_forall (int i = lo; i < hi; i += 3; &c[i + 1]) //> forall: own rows of [c], 4 a block, in steps of 3
        sum = order(sum, i + c[i + 1] + 2 * c[i] + (i > 0 ? c[i - 1] : 0));
    upc_forall (int i = lo; i < hi; i += 5; &a[i]) //> forall: own rows of [a], 1 a block, in steps of 5
        sum = order(sum, i + a[i] + 2 * a[i + 1] + (i > 0 ? a[i - 1] : 0));
    upc_forall (int i = lo; i <= hi; i += 6; i) //> forall: own rows of [], 1 a block, in steps of 6
        sum = order(sum, i);
    upc_forall (int i = hi - 1; i >= lo; --i; i) //> forall: own rows of [], 1 a block, flat, downwards
        sum = order(sum, 1);
    return sum;
}

int main(void) {
    int i;
    long l, sum = 0;
    upc_forall (i = N * THREADS - 1; i >= 0; i--; &a[i]) //> forall: own rows of [a], 1 a block, downwards
        a[i] = (int)(sum = order(sum, i));
    sum += i;
    upc_forall (i = 1; i < N * THREADS; i += 2; i) //> forall: own rows of [b], 1 a block, in steps of 2
        b[i] = i;
    sum += 3 * i;
    upc_forall (i = 0; i < N * THREADS - 1; i += 2; &b[i + 1]) //> forall: own rows of [b], 1 a block, in steps of 2
        b[i + 1] += i;
    sum += 5 * i;
    upc_forall (l = N * THREADS - 2; l > 3; l -= 3; &b[l]) //> forall: own rows of [b], 1 a block, downwards, in
        sum = order(sum, b[l] += (int)l);
    sum += 7 * l;
    upc_forall (i = 2; i != N * THREADS; i++; &c[i]) //> forall: own rows of [c], 4 a block
        c[i] = i;
    upc_forall (l = N * THREADS - 1; l >= 4; l--; &c[l]) //> forall: own rows of [c d], 4 a block, flat, downwards
        d[l] = 2 * c[l];
    sum += 11 * l;
    upc_forall (i = N * THREADS - 1; i >= 0; i--; &grid[i][0]) //> forall: own rows of [grid], 1 a block, downwards
        for (int j = 0; j < 3; j++)
            grid[i][j] = i * j;
    upc_forall (i = 3; i < 2; i += 2; &a[i]) //> forall: own rows of [a], 1 a block, in steps of 2
        a[i] = -1;
    sum += 13 * i;
    upc_forall (i = 2; i >= 3; i--; &a[i]) //> forall: own rows of [a], 1 a block, flat, downwards
        a[i] = -1;
    sum += 17 * i;
    upc_barrier;
    /* Even and odd elements in turn, which write to their neighbours. */
    for (int turn = 0; turn < 5; turn++) {
        upc_forall (i = turn % 2; i < N * THREADS - 1; i += 2; &a[i]) //> forall: own rows of [a], 1 a block, in
            if (a[i] % 100 > a[i + 1] % 100) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
            }
        sum += i;
        upc_barrier;
        upc_forall (i = turn % 2; i < N * THREADS - 1; i += 2; &c[i]) //> forall: own rows of [c], 4 a block, in steps
            if (c[i] % 10 > c[i + 1] % 10) {
                long t = c[i];
                c[i] = c[i + 1];
                c[i + 1] = t;
            }
        upc_barrier;
    }
    upc_barrier;
    for (int lo = 0; lo < 9; lo++)
        for (int hi = lo - 1; hi < lo + 20 && hi < N * THREADS - 1; hi++)
            sum = order(sum, part(lo < 1 ? 1 : lo, hi < 1 ? 1 : hi));
    for (i = 0; i < N * THREADS; i++)
        sum = order(sum, a[i] + 3 * b[i] + 5 * c[i] + 7 * d[i] + grid[i][i % 3]);
    printf("%d: %ld\n", MYTHREAD, sum);
    upc_barrier;
    return 0;
}
