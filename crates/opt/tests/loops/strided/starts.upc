/* Loops by THREADS that begin elsewhere than at MYTHREAD, or go down. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 50
shared int a[N * THREADS], b[N * THREADS];
shared [3] int m[N * THREADS][3];
shared [2] int two[2 * N * THREADS];
int at = 5;

static long sum(void) {
    long s = 0;
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++)
        s = (3 * s + a[i] + 7 * b[i] + m[i][1]) % 1000003;
    upc_barrier;
    return s;
}

static void own(int rounds) {
    int i;
    for (i = MYTHREAD + THREADS; i < N * THREADS; i += THREADS) //> strided: own rows of [a], counted
        a[i] = i;
    b[MYTHREAD] += i;
    for (i = 2 * THREADS + MYTHREAD; i <= N * THREADS - THREADS; i += THREADS) //> strided: own rows of [b a], counted
        b[i] = a[i - THREADS] + 2 * a[i] + 3 * a[i + THREADS - 2 * THREADS];
    for (i = rounds * THREADS + MYTHREAD; i < N * THREADS; i += THREADS) //> strided: own rows of [m], counted
        m[i][1] += i;
    b[MYTHREAD] += i;
    for (i = 0; i < N * THREADS; i += THREADS) //> strided: own rows of [a], counted
        a[i + MYTHREAD] += i;
    b[MYTHREAD] += i;
    for (i = THREADS; i < N * THREADS - THREADS; i = i + THREADS) { //> strided: own rows of [a]
        a[MYTHREAD + i + THREADS] += a[MYTHREAD + i] % 5;
        if (a[i + MYTHREAD] % 31 == 30)
            break;
    }
    b[MYTHREAD] += i;
    for (i = MYTHREAD + 100 * THREADS; i < N * THREADS; i += THREADS) //> strided: own rows of [a], counted
        a[i] = 1;
    b[MYTHREAD] += i;
}

static void down(int n) {
    int i;
    for (i = N * THREADS - THREADS + MYTHREAD; i >= 0; i -= THREADS) //> strided: own rows of [a], counted down
        a[i] += 3 * i;
    b[MYTHREAD] += i;
    for (long j = MYTHREAD + (N - 2) * THREADS; j > n; j = j - THREADS) { //> strided: own rows of [b a], counted down
        if (j % 3 == 1)
            continue;
        b[j] += a[j + THREADS];
    }
    for (i = MYTHREAD; i > N * THREADS; i -= THREADS) //> strided: own rows of [a], counted down
        a[i] = 1;
    b[MYTHREAD] += i;
    for (i = (N - 1) * THREADS; i >= n; i -= THREADS) //> strided: own rows of [m], counted down
        m[i + MYTHREAD][1] += i;
    /* An unsigned variable wraps around, and the loop may stop anywhere. */
    for (unsigned k = MYTHREAD + THREADS; k > THREADS; k -= THREADS) //> not strided: the number of iterations
        a[k] += 2;
    for (i = N * THREADS - THREADS + MYTHREAD; i >= 0; i -= THREADS) { //> not strided: the number of iterations
        if (a[i]++ % 17 == 11)
            break;
    }
    b[MYTHREAD] += i;
}

/* Rows whose thread is not known: own ones, or another's. */
static void somewhere(int first, int n) {
    int i;
    for (i = first; i < n; i += THREADS) //> strided: one thread's rows of [a], counted
        a[i] += i;
    upc_barrier;
    b[MYTHREAD] += i;
    upc_barrier;
    for (i = first - MYTHREAD; i < n; i += THREADS) { //> strided: one thread's rows of [b], counted
        if (i + MYTHREAD >= n)
            continue;
        b[i + MYTHREAD] += 2 * i;
    }
    upc_barrier;
    b[MYTHREAD] += i;
    upc_barrier;
    for (i = (first + 1) % THREADS; i < n; i += THREADS) //> strided: one thread's rows of [m], counted
        m[i][1] += 1;
    upc_barrier;
    for (i = first; i < n; i += THREADS) { //> strided: one thread's rows of [a]
        a[i]++;
        if (i > n / 2)
            break;
    }
    upc_barrier;
    for (unsigned k = MYTHREAD - THREADS + n; k < n; k += THREADS) //> strided: one thread's rows of [a]
        a[k] += 5;
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        for (i = 0; i < n; i += THREADS) //> strided: one thread's rows of [a], counted
            a[i] += 11;
    upc_barrier;
    for (i = at + MYTHREAD; i < n; i += THREADS) { //> not strided: the first value of the loop's variable may change
        a[i] += at;
        at += i % 3;
    }
    at = 5;
    upc_barrier;
    for (i = a[0] % 2 + MYTHREAD; i < n; i += THREADS) //> not strided: the first value of the loop's variable may change
        b[i] += 3;
    upc_barrier;
}

/* Pointers that serve as arrays, at the beginning of one or not. */
static void by_pointer(shared int *p, shared [3] int (*rows)[3], int n) {
    for (int i = MYTHREAD; i < n; i += THREADS) //> strided: own rows of [p], counted
        p[i] += i;
    upc_barrier;
    for (int i = MYTHREAD; i < n; i += THREADS) //> strided: own rows of [p b], counted
        if (i + 1 < n)
            p[i] = b[i] - p[i];
    upc_barrier;
    for (int i = MYTHREAD + THREADS; i < n; i += THREADS) //> strided: own rows of [rows a], counted
        rows[i][1] += a[i];
    upc_barrier;
    for (int i = n - 1 - MYTHREAD; i >= 0; i -= THREADS) //> strided: one thread's rows of [p], counted down
        p[i] ^= 5;
}

int main(void) {
    own(3);
    printf("%ld\n", sum());
    down(3 * THREADS);
    printf("%ld\n", sum());
    somewhere(MYTHREAD, N * THREADS);
    printf("%ld\n", sum());
    somewhere(MYTHREAD + 1, N * THREADS - 1);
    printf("%ld\n", sum());
    somewhere(MYTHREAD + 3 * THREADS, N * THREADS - 3);
    printf("%ld\n", sum());
    by_pointer(a, m, N * THREADS);
    printf("%ld\n", sum());
    by_pointer(a + 1, m + 1, (N - 1) * THREADS);
    printf("%ld\n", sum());
    return 0;
}
