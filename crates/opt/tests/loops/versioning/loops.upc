/* Loops for one host and for several. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 60
shared int a[N * THREADS], flag;

int main(void) {
    int i, n;
    long s = 0;
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) //> not versioning: no access in the loop needs a locality test
        a[i] = i;
    upc_barrier;
    for (i = 0; i < N; i++) //> versioning: for one host and for several
        s += a[i];
    i = 0;
    while (i < N) //> versioning: for one host and for several
        s ^= a[i++];
    do //> versioning: for one host and for several
        s += a[--i];
    while (i > 0);
    for (i = 0; i < N; i++) //> not versioning: no access in the loop needs a locality test
        s += i;
    for (i = 0; i < N; i++) { //> not versioning: the loop has a label
        static int calls;
        s += a[i] + (calls++ & 0);
    }
    for (i = 0; i < N; i++) { //> not versioning: the loop has a label
        if (a[i] & 1)
            goto next;
        s += a[i];
    next:;
    }
    while (flag) //> not versioning: the body is empty
        ;
    for (i = 0, n = 0; i < N; i++) //> versioning: for one host and for several
        for (int j = 0; j < 2; j++)
            n += a[i + j];
    for (int turn = 0; turn < 2; turn++) { //> not versioning: the loop synchronises: its
        for (i = 0; i < N; i++) //> versioning: for one host and for several
            s += a[i];
        upc_barrier;
    }
    printf("%ld %d\n", s, n);
    upc_barrier;
    return 0;
}
