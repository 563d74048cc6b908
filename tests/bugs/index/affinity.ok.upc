// The affinity expression leaves the array. Repaired.
#include <upc.h>

#define N 32

shared int a[N * THREADS];

int main(void) {
    int i, own = 0;
    upc_forall (i = 0; i < N * THREADS; i++; &a[i])
        own++;
    return own == 0;
}
