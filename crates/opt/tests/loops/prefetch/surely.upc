/* Only reads of every iteration are prefetched: no address is followed that the program would not follow. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 300
shared int a[N * THREADS];
shared struct { int n, f : 3; } r[N * THREADS];

int main(void) {
    long x = 0;
    shared int *none = 0;
    upc_forall (int i = 0; i < N * THREADS; i++; &a[i]) {
        a[i] = i % 11;
        r[i].f = i & 3;
    }
    upc_barrier;
    for (int i = 0; i < N; i++) //> not prefetch: no iteration is sure
        x += none ? none[i] : i;
    for (int i = 0; i < N; i++) //> not prefetch: no iteration is sure
        if (none)
            x += none[i];
    for (int i = 0; i < N; i++) { //> not prefetch: no iteration is sure
        if (!none)
            continue;
        x += none[i];
    }
    for (int i = 0; i < N; i++) { //> not prefetch: the body synchronises, leaves
        x += a[i];
        if (x > 100)
            break;
    }
    for (int i = 0; i < N; i++) //> not prefetch: the loop reads a bit-field
        x += r[i].f;
    for (int i = 0; i < N; i++) //> prefetch: once [a]
        x += a[3];
    for (int i = 0; i < N; i++) //> prefetch: cached [a]
        x += a[i] && i < 5 ? i : 1;
    printf("%ld\n", x);
    upc_barrier;
    return 0;
}
