/* Loops whose reads are requested before they are needed. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 700
shared int a[N * THREADS], b[N * THREADS], one;
shared [8] long c[8 * N * THREADS];
shared struct { int n, m; } r[N * THREADS];
int idx[N], out[N];
double d[N];

static void fill(void) {
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS) {
        a[i] = 3 * i + 1;
        b[i] = i ^ 5;
        r[i].n = 7 * i;
        r[i].m = i;
    }
    upc_forall (int i = 0; i < 8 * N * THREADS; i++; &c[i])
        c[i] = 2 * i;
    for (int i = 0; i < N; i++)
        idx[i] = (i * 13) % (N * THREADS);
    if (MYTHREAD == 0)
        one = 2;
    upc_barrier;
}

int main(void) {
    long x = 0;
    fill();
    for (int i = 0; i < N; i++) //> prefetch: cached [a]
        x += a[i];
    for (int i = 0; N > i; i = i + 1) //> prefetch: cached [a]
        x += a[i];
    for (int i = MYTHREAD; i < N; i = THREADS + i) //> prefetch: [b]
        x += b[(i + 1) % N];
    for (int i = N; i > 1; i -= 2) //> prefetch: [a b]
        x += a[i - 1] * b[i - 2];
    for (int i = 0; i < N; i++) //> prefetch: [a]
        out[i] = a[idx[i]];
    for (int i = 0; i < N; i++) //> prefetch: [c]
        d[i] = c[8 * idx[i]];
    for (int i = 0; i < N; i++) //> prefetch: [r]
        x += r[i].n;
    for (shared int *p = a; p != a + N; p++) //> prefetch: cached [p]
        x += *p;
    for (int i = 0; i < N; i++) //> prefetch: cached [a], once [one]
        x += a[i] * one;
    for (int i = 0; i < N; i++) { //> prefetch: cached [a]
        int v = a[i];
        if (v & 1)
            continue;
        x ^= v;
    }
    upc_barrier;
    /* The thread's own part is read in its place. */
    upc_forall (int i = 0; i < N * THREADS; i++; &a[i]) //> prefetch: [b b]
        a[i] = b[i] + b[(i * 7) % (N * THREADS)] + b[(i + 1) % (N * THREADS)];
    upc_barrier;
    for (int i = 0; i < N; i++) //> prefetch: cached [a]
        x = 3 * x + a[i] + out[i] + (long)d[i];
    printf("%ld\n", x);
    upc_barrier;
    return 0;
}
