// A job in which every thread writes to every other one; thread 0 prints the result.
#include <stdio.h>
#include <upc.h>

#define MOST 64

shared[MOST] int told[MOST * THREADS];

int main(void) {
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        told[t * MOST + MYTHREAD] = 1;
    upc_barrier;
    int sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += told[MYTHREAD * MOST + t];
    if (sum != THREADS)
        printf("thread %d: %d\n", MYTHREAD, sum);
    upc_barrier;
    if (MYTHREAD == 0)
        printf("%d threads\n", THREADS);
    return 0;
}
