/* The number of a row divided by THREADS is its index among the thread's own rows. The division remains
 * below 0, and if a row has another number than the variable or more than one element. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 23
shared int a[N * THREADS], c[N * THREADS];
shared [4] int b[4 * N * THREADS];
static int own[4 * N + 1], starts[N + 1];
static long values[3 * N];

static void fill(void) {
    for (int k = 0; k < N; k++) {
        own[k] = 7 * k + MYTHREAD;
        starts[k] = k * 2 + k % 3 / 2;
    }
    starts[N] = 2 * N;
    for (int k = 0; k < 3 * N; k++)
        values[k] = (k * 5 + MYTHREAD) % (N * THREADS);
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS)
        c[i] = i * 3;
    upc_barrier;
}

static long numbers(long n) {
    long s = 0;
    int i, turn = 0;
    upc_forall (i = 0; i < n; i++; i) //> forall: own rows of [a], 1 a block, flat
        a[i] = own[i / THREADS] * 2 + i % THREADS;
    upc_forall (long j = 0; j < n; j++; &a[j]) //> forall: own rows of [a], 1 a block
        a[j] += own[j / (THREADS)] + (int)j + (j % THREADS == MYTHREAD) - (THREADS / THREADS);
    upc_forall (unsigned u = 1; u < n; u++; u) { //> forall: own rows of [a], 1 a block, flat
        s += u / THREADS * 1000 + u % THREADS;
        a[u] += sizeof(u / THREADS) == sizeof(unsigned);
    }
    upc_forall (short h = 0; h < N * THREADS; h++; h) //> forall: own rows of [], 1 a block, flat
        s = 3 * s % 10007 + (h / THREADS - h % THREADS) / 2;
    upc_forall (i = 0; i < n; i++; i) { //> forall: own rows of [], 1 a block, flat
        s += i / THREADS * turn++;
    }
    return s + i;
}

/* Sums of own rows, whose elements are in random places. */
static void rows(long n) {
    upc_forall (long r = 0; r < n; r++; r) { //> forall: own rows of [a], 1 a block, flat
        long l = r / THREADS, sum = 0;
        for (long k = starts[l]; k < starts[l + 1]; k++)
            sum += c[values[k]];
        a[r] += (int)sum;
    }
}

static long others(int lo, int n) {
    long s = 0;
    upc_forall (int i = lo; i < n; i++; &b[i]) //> forall: own rows of [b], 4 a block
        b[i] = i / THREADS + own[i % 7];
    upc_forall (int i = -5; i < n; i++; i + 2 * THREADS + 5) //> not forall: the affinity does not follow from `i` alone
        s += i / THREADS * 10 + i % THREADS;
    upc_forall (int i = lo - 5; i < n; i++; i) //> forall: own rows of [], 1 a block
        s += i / THREADS * 10 + i % THREADS;
    upc_forall (int i = 0; i < n - 1; i++; i + 1) //> forall: own rows of [], 1 a block
        s += i / THREADS * 10 + i % THREADS;
    upc_forall (int i = -7; i < n; i++; i) //> forall: own rows of [], 1 a block
        s += i / THREADS * 10 + i % THREADS;
    return s;
}

int main(void) {
    fill();
    long s = numbers(N * THREADS) + others(0, N * THREADS);
    upc_barrier;
    rows(N * THREADS);
    upc_barrier;
    printf("thread %d: %ld\n", MYTHREAD, s);
    if (MYTHREAD == 0)
        for (int i = 0; i < N * THREADS; i++)
            printf("%d: %d %d\n", i, a[i], b[i]);
    upc_barrier;
    return 0;
}
