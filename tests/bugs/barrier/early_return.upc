// Threads without work leave before the barrier.
// finds: 14: `upc_barrier` is not reached by all threads
#include <stdio.h>
#include <upc.h>

#define ROWS 2

shared int sums[THREADS];

static void add_up(int odd) {
    if (MYTHREAD % 2 != odd)
        return;
    sums[MYTHREAD] = 7;
    upc_barrier;
}

int main(void) {
    for (int i = 0; i < ROWS; i++)
        add_up(i);
    if (MYTHREAD == 0)
        printf("%d\n", sums[0]);
    return 0;
}
