// A copy of more bytes than the thread's shared memory has is reported, and not begun.
//: expect-err bytes (a negative number) are asked for, but only
#include <stdlib.h>
#include <upc.h>

shared char a[100 * THREADS];

int main(int argc, char **argv) {
    static char buffer[100];
    long n = argc - 1 - 4;
    (void)argv;
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        upc_memput(a, buffer, (size_t)n);
    upc_barrier;
    return 0;
}
