// The affinity expression leaves the array.
// finds: 11: index `i + 1` reaches 32 * THREADS
#include <upc.h>

#define N 32

shared int a[N * THREADS];

int main(void) {
    int i, own = 0;
    upc_forall (i = 0; i < N * THREADS; i++; &a[i + 1])
        own++;
    return own == 0;
}
