// Thread 0's element is read by all. Repaired.
#include <stdio.h>
#include <upc.h>

#define N 8

shared int squares[N * THREADS];

int main(void) {
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS)
        squares[i] = i * i;
    upc_barrier;
    printf("%d\n", squares[0]);
    return 0;
}
