/* Parts that may occur only once, as labels, or are not analysed keep a loop from being written twice. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 60
shared int a[N * THREADS];

/* A loop that is entered in its middle. */
static long enter(int from) {
    long s = 0;
    int i = 0;
    switch (from) {
    case 0:
        for (i = 0; i < N; i++) { //> not versioning: the loop has a label
            s += a[i];
    case 1:
            s ^= a[i];
        }
    }
    return s;
}

/* A loop whose inner loop is entered in its middle. */
static long enter_inside(int from) {
    long s = 0;
    int i = 0, j = 0;
    switch (from) {
    case 0:
        while (i < N) { //> not versioning: the loop has a label
            s += a[i++];
            for (j = 0; j < 3; j++) { //> not versioning: the loop has a label
    default:
                s = 3 * s + a[i + j];
            }
        }
    }
    return s;
}

int main(void) {
    int i, j;
    long s = 0;
    void *at = 0;
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) //> not versioning: no access
        a[i] = i;
    upc_barrier;
    /* A switch of its own, with a loop in one of its cases. */
    for (i = 0; i < N; i++) { //> versioning: for one host and for several
        switch (i % 4) {
        case 0:
            for (j = 0; j < 2; j++)
                s += a[j];
            break;
        case 1:
            switch (a[i] % 3) {
            case 2:
                s ^= 1;
            }
        case 2:
            s += a[i];
            break;
        default:
            s++;
        }
    }
    for (i = 0; i < N; i++) { //> versioning: for one host and for several
        auto int twice = 2 * a[i];
        register int fast = twice;
        s += fast;
    }
    for (i = 0; i < N - 1; i++) { //> versioning: for one host and for several
        if (a[i] % 5 == 4)
            continue;
        if (a[i] > 50)
            break;
        s += a[i + 1];
    }
    /* The inner loop contains a case of a switch around it. */
    for (i = 0; i < N; i++) { //> not versioning: the loop has a label
        switch (a[i] % 2) {
        case 0:
            for (j = 0; j < 2; j++) { //> not versioning: the loop has a label
        case 1:
                s += a[i] + 1;
                j = 3;
            }
        }
    }
    for (i = 0; i < N; i++) //> not versioning: the loop has a label
        s += ({ int twice = 2 * a[i]; twice; });
    for (i = 0; i < N; i++) { //> not versioning: the loop has a label
        at = &&next;
        s += a[i];
    next:;
    }
    for (i = 0; i < N; i++) { //> not versioning: the loop has a label
        __asm__ volatile("" : : : "memory");
        s += a[i];
    }
    for (i = 0; i < N; i++) { //> not versioning: the loop has a label
        extern int printf(const char *, ...);
        s += a[i];
    }
    printf("%ld %ld %ld %d\n", s, enter(0) + enter(1), enter_inside(0) + enter_inside(1), at != 0);
    upc_barrier;
    return 0;
}
