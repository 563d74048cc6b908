// All threads use a value that thread 0 sets. Repaired.
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>

shared int size;

int main(int argc, char **argv) {
    if (MYTHREAD == 0)
        size = argc > 1 ? atoi(argv[1]) : 10;
    upc_barrier;
    int own = size / THREADS;
    printf("%d\n", own);
    return 0;
}
