// The neighbours of the first and last element. Repaired.
#include <upc.h>

#define N 16

shared double a[N * THREADS], b[N * THREADS];

int main(void) {
    int i;
    upc_forall (i = 1; i < N * THREADS; i++; &b[i])
        b[i] = a[i - 1] + a[i];
    upc_barrier;
    upc_forall (i = 1; i < N * THREADS - 1; i++; &a[i])
        a[i] = b[i + 1] + b[i - 1];
    return 0;
}
