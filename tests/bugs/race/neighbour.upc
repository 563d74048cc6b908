// The neighbour's element is read before it has been written.
// finds: 11: `edges` is read, but other threads may not have written it yet
#include <stdio.h>
#include <upc.h>

shared double edges[THREADS];

int main(void) {
    int right = (MYTHREAD + 1) % THREADS;
    edges[MYTHREAD] = 0.5 * MYTHREAD;
    printf("%g\n", edges[right]);
    return 0;
}
