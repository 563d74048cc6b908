// The neighbours of the first and last element.
// finds: 13: index `i - 1` reaches -1
// finds: 16: index `i + 1` reaches 16 * THREADS
#include <upc.h>

#define N 16

shared double a[N * THREADS], b[N * THREADS];

int main(void) {
    int i;
    upc_forall (i = 0; i < N * THREADS; i++; &b[i])
        b[i] = a[i - 1] + a[i];
    upc_barrier;
    upc_forall (i = 1; i < N * THREADS; i++; &a[i])
        a[i] = b[i + 1] + b[i - 1];
    return 0;
}
