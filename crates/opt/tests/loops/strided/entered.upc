/* A loop that is entered in its middle skips its first clause, which sets the counter. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 20
shared int a[N * THREADS];

static void enter(int from) {
    int i = MYTHREAD + THREADS;
    switch (from) {
    case 0:
        for (i = MYTHREAD; i < N * THREADS; i += THREADS) { //> not strided: the body may be
            a[i] += 1;
    case 1:
            a[i] += 2;
        }
    }
}

static void enter_inside(int from) {
    int i = MYTHREAD + THREADS, j = 0;
    switch (from) {
    case 0:
        for (i = MYTHREAD; i < N * THREADS; i += THREADS) { //> not strided: the body may be
            for (j = 0; j < 2; j++) {
    default:
                a[i] += j + 1;
            }
        }
    }
}

static void jump(int from) {
    int i = MYTHREAD + THREADS;
    if (from)
        goto middle;
    for (i = MYTHREAD; i < N * THREADS; i += THREADS) { //> not strided: the body may be
        a[i] += 1;
    middle:
        a[i] += 2;
    }
}

int main(void) {
    long s = 0;
    int i, seen = 0, *p = &seen;
    for (i = MYTHREAD; i < N * THREADS; i += THREADS) //> strided: own rows of [a]
        a[i] = i;
    /* A switch inside the loop enters nothing from outside, even with loops between. */
    for (i = MYTHREAD; i < N * THREADS; i += THREADS) { //> strided: own rows of [a]
        int j = 0;
        switch (i % 4) {
        case 0:
            while (j < 3) {
        case 1:
                a[i] += j++ + 1;
            }
            break;
        default:
            a[i] += 5;
        }
    }
    for (i = MYTHREAD; i < N * THREADS; i += THREADS) { //> strided: own rows of [a]
        a[i] += 1;
        if (a[i] > 5 * N * THREADS)
            break;
    }
    for (seen = MYTHREAD; seen < N * THREADS; seen += THREADS) //> not strided: the loop's variable is not automatic
        a[seen] += *p % 3;
    for (i = MYTHREAD; i < N * THREADS; i -= -THREADS) //> not strided: the loop's step is not THREADS
        a[i] += 1;
    for (int j = MYTHREAD, m = 0; j < N * THREADS; j += THREADS, m++)
        a[j] += m;
    enter(0);
    enter(1);
    enter_inside(0);
    enter_inside(1);
    jump(0);
    jump(1);
    upc_barrier;
    for (i = MYTHREAD; i++ < N * THREADS - THREADS; i += THREADS) //> not strided: the loop's variable is changed
        s += a[i - 1];
    for (i = 0; i < N * THREADS; i++)
        s = (3 * s + a[i]) % 1000003;
    printf("%ld\n", s);
    upc_barrier;
    return 0;
}
