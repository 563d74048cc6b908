// All threads use a value that thread 0 sets.
// finds: 12: `size` is read, but other threads may not have written it yet
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>

shared int size;

int main(int argc, char **argv) {
    if (MYTHREAD == 0)
        size = argc > 1 ? atoi(argv[1]) : 10;
    int own = size / THREADS;
    printf("%d\n", own);
    return 0;
}
