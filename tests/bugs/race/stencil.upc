// A loop reads neighbours' elements that another loop has written.
// finds: 14: `a` is read, but other threads may not have written it yet
#include <upc.h>

#define N 16

shared double a[N * THREADS], b[N * THREADS];

int main(void) {
    int i;
    upc_forall (i = 0; i < N * THREADS; i++; &a[i])
        a[i] = i;
    upc_forall (i = 1; i < N * THREADS - 1; i++; &a[i])
        b[i] = a[i - 1] + a[i + 1];
    return 0;
}
