// Each thread runs the loop, and the barrier in it, another number of times.
// finds: 11: `upc_barrier` is reached more often by some threads than by others
#include <stdio.h>
#include <upc.h>

shared int steps[THREADS];

int main(void) {
    for (int i = 0; i < MYTHREAD; i++) {
        steps[MYTHREAD]++;
        upc_barrier;
    }
    printf("%d\n", steps[MYTHREAD]);
    return 0;
}
