// The neighbour's element is read before it has been written. Repaired.
#include <stdio.h>
#include <upc.h>

shared double edges[THREADS];

int main(void) {
    int right = (MYTHREAD + 1) % THREADS;
    edges[MYTHREAD] = 0.5 * MYTHREAD;
    upc_barrier;
    printf("%g\n", edges[right]);
    return 0;
}
