/* Loops over a thread's own numbers. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 50
shared int a[N * THREADS];
shared [3] int m[N * THREADS][3];
shared [2] int two[2 * N * THREADS];

/* A type that is too short for the array wraps around to earlier values. */
shared int long_one[70000 * THREADS];

static void comes_round(void) {
    int rounds = 0;
    for (unsigned short j = MYTHREAD;; j += THREADS) { //> not strided: the number of iterations is not known
        long_one[j]++;
        if (++rounds == 66000)
            break;
    }
}

int main(void) {
    int i;
    long s = 0;
    for (i = MYTHREAD; i < N * THREADS; i += THREADS) //> strided: own rows of [a]
        a[i] = i;
    for (i = MYTHREAD; i < N * THREADS; i = i + THREADS) { //> strided: own rows of [m]
        if (i % 3 == 0)
            continue;
        for (int j = 0; j < 3; j++)
            m[i][j] = i + j;
    }
    for (i = MYTHREAD; i < N * THREADS; i += 2 * THREADS) //> not strided: the loop's step is not THREADS
        a[i] += 1;
    for (i = MYTHREAD; i < N * THREADS; i += THREADS) { //> not strided: the loop's variable is changed
        a[i] += 2;
        if (a[i] % 7 == 0)
            i += THREADS;
    }
    /* The number of iterations is not always known. */
    int n = N * THREADS - 1, end = n;
    for (i = MYTHREAD; i <= n; i += THREADS) { //> strided: own rows of [a], counted
        a[i] += i;
        s += i;
    }
    s += i;
    for (i = MYTHREAD; i < -3; i += THREADS) //> strided: own rows of [a], counted
        a[i] += i;
    s += i;
    for (i = MYTHREAD; i < end; i += THREADS) { //> strided: own rows of [a]
        a[i] += i;
        end -= a[i] & 1;
    }
    s += i;
    for (i = MYTHREAD; i < n; i += THREADS) { //> strided: own rows of [a]
        if (a[i] % 31 == 30)
            break;
        a[i]++;
    }
    s += i;
    for (unsigned short j = MYTHREAD; j < n; j += THREADS) //> not strided: the number of iterations is not known
        a[j] += j;
    for (int j = MYTHREAD; j < n; j += THREADS) //> strided: own rows of [a], counted
        a[j] += two[j + 1] * two[(j + 3 * THREADS) % n];
    upc_barrier;
    for (i = MYTHREAD; i < 2 * N * THREADS; i += THREADS) //> not strided: the loop's variable is the
        two[i] = i;
    if (THREADS == 1)
        comes_round();
    upc_barrier;
    s += long_one[1] + 3 * long_one[65537];
    for (i = 0; i < N * THREADS; i++)
        s = (3 * s + a[i] + m[i][1] + two[2 * i]) % 1000003;
    printf("%ld\n", s);
    upc_barrier;
    return 0;
}
