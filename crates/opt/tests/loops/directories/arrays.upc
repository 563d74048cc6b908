/* Loops over own numbers that read, at these numbers, all arrays of a directory. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 600
shared [] long *shared counts[THREADS];
shared [] int *shared [2] small[2 * THREADS];
shared [] long *shared moved[2 * THREADS];
shared long sum[N * THREADS];
shared [7] int total[7 * THREADS * 40];

static void fill(void) {
    counts[MYTHREAD] = (shared [] long *)upc_alloc(N * THREADS * sizeof(long));
    moved[MYTHREAD] = counts[MYTHREAD];
    for (int i = 0; i < N * THREADS; i++)
        counts[MYTHREAD][i] = (i * 7 + MYTHREAD * 13) % 31;
    for (int d = 0; d < 2; d++) {
        small[2 * MYTHREAD + d] = (shared [] int *)upc_alloc(7 * THREADS * 40 * sizeof(int));
        for (int i = 0; i < 7 * THREADS * 40; i++)
            small[2 * MYTHREAD + d][i] = (i * 3 + MYTHREAD * 2 + d) % 57;
    }
    if (MYTHREAD == 0)
        moved[THREADS] = counts[0];
    upc_barrier;
}

/* The places of the elements of each thread, from its counts: elements under way are written. */
static void places(void) {
    upc_forall (long c = 0; c < N * THREADS; c++; c) { //> directories: 1 reads
        long before = 0;
        for (int t = 0; t < THREADS; t++) {
            long more = counts[t][c];
            counts[t][c] = before;
            before += more;
        }
        sum[c] = before;
    }
    upc_barrier;
}

/* Not all numbers, and not all arrays; c is used after the loop. */
static int some(int from) {
    int c;
    upc_forall (c = from; c <= N * THREADS - 5; c++; c + 1) { //> directories: 2 reads
        long s = 1;
        for (int t = from / 3; t < THREADS; t++)
            s = s * 3 + counts[t][c] - counts[t][c + 4];
        sum[c + 1] += s % 1009;
    }
    upc_barrier;
    return c;
}

/* Blocks, with several arrays of each thread. */
static void blocked(void) {
    upc_forall (int i = 1; i < 7 * THREADS * 40; i++; &total[i]) { //> directories: 1 reads
        int s = i;
        for (int t = 0; t < 2 * THREADS; t++)
            s = (s * 5 + small[t][i - 1]) % 10007;
        total[i] += s;
    }
    upc_barrier;
}

/* The choice of arrays depends on the number, on values that the loop has computed, or on its writes. */
static void left(void) {
    upc_forall (long c = 0; c < N * THREADS; c++; c) {
        long s = 0, most = c % THREADS;
        for (int t = 0; t < c && t < THREADS; t++)
            s += counts[t][c];
        for (int t = 0; t < most; t++)
            s += 2 * counts[t][c];
        sum[c] += s;
    }
    upc_barrier;
    for (int turn = 0; turn < THREADS; turn++) {
        if (turn == MYTHREAD)
            upc_forall (int c = 0; c < 50 * THREADS; c++; c)
                for (int t = 0; t < THREADS; t++) {
                    sum[c] += moved[t][c];
                    moved[t + 1] = moved[t];
                }
        upc_barrier;
    }
    int t = 5;
    upc_forall (long c = 0; c < N * THREADS; c++; c) {
        sum[c] += t;
        for (t = 0; t < THREADS; t++)
            sum[c] += counts[t][c];
    }
    upc_barrier;
}

static long sum_of_all(void) {
    long s = 0;
    for (int i = 0; i < N * THREADS; i++)
        s = (s * 31 + sum[i] + counts[i % THREADS][i]) % 1000003;
    for (int i = 0; i < 7 * THREADS * 40; i++)
        s = (s * 31 + total[i]) % 1000003;
    upc_barrier;
    return s;
}

int main(void) {
    fill();
    places();
    long a = sum_of_all();
    int c = some(0);
    long b = sum_of_all();
    some(4);
    blocked();
    long d = sum_of_all();
    left();
    long e = sum_of_all();
    if (MYTHREAD == 0)
        printf("%ld %d %ld %ld %ld\n", a, c, b, d, e);
    return 0;
}
