// A function that has a barrier is called by one thread.
// finds: 19: `report` is not reached by all threads
#include <stdio.h>
#include <upc.h>

shared int total;

static void report(void) {
    upc_barrier;
    if (MYTHREAD == 0)
        printf("%d\n", total);
}

int main(void) {
    int me = MYTHREAD;
    if (me == 0)
        total = 3;
    if (me == 0)
        report();
    return 0;
}
