// A function that has a barrier is called by one thread. Repaired.
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
    report();
    return 0;
}
