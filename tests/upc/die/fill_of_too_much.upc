// A fill of too many bytes, which would take long before it reached the end, is reported.
//: threads 1 2 3
//: expect-err upc_memset: 70368744177664 bytes are asked for, but only
#include <stdlib.h>
#include <upc.h>

shared char a[100 * THREADS];

int main(void) {
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        upc_memset(a, 1, (size_t)1 << 46);
    upc_barrier;
    return 0;
}
