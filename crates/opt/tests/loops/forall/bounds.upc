/* Bounds of shared-out loops. A bound that keeps its value while the body runs may be read once; all others
   are read before each iteration. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 24
shared int a[4 * N * THREADS];
shared int everywhere;
int steady = N;
volatile int noisy = N;
enum { FEW = 7 };

static void lower(void) { steady = N - 1; }

static void upto(int n, int by) {
    upc_forall (int i = 0; i < n; i++; &a[i]) //> forall: own rows of [a], 1 a block
        a[i] += by;
    upc_barrier;
}

int main(void) {
    int i, n = N, taken = N, less = N, *p = &taken;
    unsigned u = N;
    register int fast = N;
    long sum = 0;
    if (MYTHREAD == 0)
        everywhere = N;
    upc_barrier;
    upc_forall (i = 0; i < n; i++; &a[i]) //> forall: own rows of [a], 1 a block
        a[i] = i;
    upc_forall (i = 0; i <= (n); i++; &a[i]) //> forall: own rows of [a], 1 a block
        a[i] += 1;
    upc_forall (i = 0; i < (int)(2 * n); i++; &a[i]) //> forall: own rows of [a], 1 a block
        a[i] += 2;
    upc_forall (i = 0; i < -(-n); i++; &a[i]) //> forall: own rows of [a], 1 a block
        a[i] += 3;
    upc_forall (i = 0; i < n - FEW; i++; &a[i]) //> forall: own rows of [a], 1 a block
        a[i] += 4;
    upc_forall (i = 0; n * THREADS > i; i++; &a[i]) //> forall: own rows of [a], 1 a block
        a[i] += 5;
    upc_forall (i = 0; i < n * 3 / 2; i++; &a[i]) //> forall: own rows of [a], 1 a block
        a[i] += 6;
    upc_forall (i = 0; i < fast; i++; &a[i]) //> forall: own rows of [a], 1 a block
        a[i] += 7;
    upc_forall (i = 0; i < (int)sizeof(n); i++; &a[i]) //> forall: own rows of [a], 1 a block
        a[i] += 8;
    upc_forall (i = 0; i < steady; i++; &a[i]) //> forall: own rows of [a], 1 a block
        a[i] += 9;
    upc_forall (i = 0; i < 20u; i++; &a[i]) //> forall: own rows of [a], 1 a block
        a[i] += 10;
    upto(N, 11);
    /* Bounds that the body changes, or may change. */
    upc_forall (i = 0; i < less; i++; &a[i]) { //> not forall: the loop's bound may change
        a[i] += 12;
        less = N - 2;
    }
    upc_forall (i = 0; i < less; i++; &a[i]) { //> not forall: the loop's bound may change
        a[i] += 13;
        ++less;
        less--;
    }
    upc_forall (i = 0; i < steady; i++; &a[i]) { //> not forall: the loop's bound may change
        a[i] += 14;
        lower();
    }
    upc_forall (i = 0; i < n * 2 - less; i++; &a[i]) { //> not forall: the loop's bound may change
        a[i] += 15;
        less = n;
    }
    upc_forall (i = 0; i < less * 1 + n - n; i++; &a[i]) { //> not forall: the loop's bound may change
        a[i] += 16;
        less = n;
    }
    upc_forall (i = 0; i < taken; i++; &a[i]) //> not forall: the loop's bound may change
        a[i] += 17;
    upc_forall (i = 0; i < *p; i++; &a[i]) //> not forall: the loop's bound may change
        a[i] += 18;
    upc_forall (i = 0; i < noisy; i++; &a[i]) //> not forall: the loop's bound may change
        a[i] += 19;
    upc_forall (i = 0; i < everywhere; i++; &a[i]) //> not forall: the loop's bound may change
        a[i] += 20;
    upc_forall (i = 0; i < n - i; i++; &a[i]) //> not forall: the loop's bound may change
        a[i] += 21;
    upc_forall (i = 0; i < (taken++, n); i++; &a[i]) //> not forall: the loop's bound may change
        a[i] += 22;
    upc_forall (i = 0; i < (n *= 1); i++; &a[i]) //> not forall: the loop's bound may change
        a[i] += 23;
    /* Conditions that are not plain comparisons of the values. */
    upc_forall (i = 0; i < u; i++; &a[i]) //> not forall: the loop's condition
        a[i] += 24;
    upc_forall (unsigned long w = 0; w < n; w++; &a[w]) //> not forall: the loop's condition
        a[w] += 25;
    upc_forall (i = 0; i < 2.5 * n; i++; &a[i]) //> not forall: the loop's condition
        a[i] += 26;
    upc_forall (i = 0; i < n && i < N; i++; &a[i]) //> not forall: the loop's condition
        a[i] += 27;
    upc_forall (i = N; i > n; i++; &a[i]) //> not forall: the loop's condition
        a[i] += 28;
    upc_barrier;
    for (i = 0; i < 4 * N * THREADS; i++)
        sum = (3 * sum + a[i]) % 1000003;
    printf("%ld %d %d %d %d\n", sum, less, taken, n, steady);
    upc_barrier;
    return 0;
}
