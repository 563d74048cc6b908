/* hello: each thread greets, in order, and writes a number where its neighbour reads it.
 *
 * The smallest program with the essentials of UPC: THREADS copies of main run at once; a `shared` array
 * has one element on each thread, and all can access it; a barrier separates writing from reading. */
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>

shared int number[THREADS];

int main(void) {
    number[MYTHREAD] = 10 * MYTHREAD;
    upc_barrier;

    int neighbour = (MYTHREAD + 1) % THREADS;
    if (number[neighbour] != 10 * neighbour)
        upc_global_exit(1);

    for (int turn = 0; turn < THREADS; turn++) {
        if (turn == MYTHREAD) {
            printf("hello from thread %d of %d: thread %d holds %d\n", MYTHREAD, THREADS, neighbour,
                   number[neighbour]);
            fflush(stdout);
        }
        upc_barrier;
    }
    return 0;
}
