/* Accesses that keep their places: strict, volatile and atomic ones, and those around synchronisation. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 300
shared int a[N * THREADS];
shared volatile int v[N * THREADS];
shared _Atomic int at[N * THREADS];
strict shared int s[N * THREADS];

static long in_strict_code(void) {
#pragma upc strict
    long sum = 0;
    for (int i = 0; i < N; i++) //> not prefetch: the loop has strict accesses
        sum += a[i];
    return sum;
}

int main(void) {
    long x = 0;
    volatile int here = 1;
    upc_forall (int i = 0; i < N * THREADS; i++; &a[i]) {
        a[i] = i % 11;
        v[i] = i % 13;
        at[i] = i % 17;
        s[i] = i % 19;
    }
    upc_barrier;
    for (int i = 0; i < N; i++) //> not prefetch: the loop has volatile accesses
        x = 3 * x + v[i];
    for (int i = 0; i < N; i++) //> not prefetch: the loop has volatile accesses
        x = 3 * x + a[i] * here;
    for (int i = 0; i < N; i++) //> not prefetch: the loop has atomic accesses
        x = 3 * x + at[i];
    for (int i = 0; i < N; i++) //> not prefetch: the loop has strict accesses
        x = 3 * x + s[i];
    for (int i = 0; i < N; i++) //> not prefetch: the loop has strict accesses
        x = 3 * x + a[i] + s[i];
    for (int i = 0; i < N; i++) { //> not prefetch: the body synchronises, leaves
        x = 3 * x + a[i];
        upc_fence;
    }
    x = 3 * x + in_strict_code();
    for (int i = 0; i < N; i++) //> prefetch: cached [a]
        x = 3 * x + a[i];
    printf("%ld\n", x);
    upc_barrier;
    return 0;
}
