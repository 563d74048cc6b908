// Each thread runs the loop, and the barrier in it, another number of times. Repaired.
#include <stdio.h>
#include <upc.h>

shared int steps[THREADS];

int main(void) {
    for (int i = 0; i < THREADS; i++) {
        if (i < MYTHREAD)
            steps[MYTHREAD]++;
        upc_barrier;
    }
    printf("%d\n", steps[MYTHREAD]);
    return 0;
}
