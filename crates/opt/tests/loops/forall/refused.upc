/* Shared-out loops that have to go through all iterations. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 30
shared int a[2 * N * THREADS];
shared [] int whole[N];
int bound = N;

static int owner(int i) { return i / 2; }
static int grow(void) { return bound; }

int main(void) {
    int i;
    long s = 0;
    upc_forall (i = 0; i < N * THREADS; i += 65; &a[i]) //> not forall: the loop's step is not a
        a[i] = i;
    upc_barrier;
    upc_forall (i = 0; i < N * THREADS; i++; owner(i)) //> not forall: the affinity
        a[i] += 1;
    upc_barrier;
    upc_forall (i = 0; i < N * THREADS; i++; &a[2 * i]) //> not forall: the affinity
        a[2 * i] += 1;
    upc_barrier;
    upc_forall (i = 0; i < N; i++; &whole[i]) //> not forall: the affinity
        whole[i] = i;
    upc_barrier;
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) { //> not forall: the body cannot be duplicated
        static int kept;
        a[i] += kept++ & 0;
    }
    upc_barrier;
    upc_forall (i = 0; i < grow(); i++; &a[i]) //> not forall: the loop's bound may change
        a[i] += 3;
    upc_barrier;
    upc_forall (unsigned u = 0; u != N * THREADS; u++; &a[u]) //> not forall: the loop's condition
        a[u] += 4;
    upc_forall (unsigned u = N * THREADS; u > 0; u--; &a[u]) //> not forall: the loop's condition
        a[u] += 4;
    upc_barrier;
    upc_forall (unsigned u = 1; u < N * THREADS; u++; &a[u - 1]) //> not forall: the affinity subtracts from
        a[u - 1] += 5;
    upc_barrier;
    for (i = 0; i < 2 * N * THREADS; i++)
        s = (3 * s + a[i] + whole[i % N]) % 1000003;
    printf("%ld\n", s);
    upc_barrier;
    return 0;
}
