/* Calls of functions of the file, whose bodies are analysed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#define N 1200
shared long keys[N * THREADS];
shared double x[N * THREADS];
shared int flag;
int picks[N];
static int shift = 3;
static const int odd[4] = {1, 3, 5, 7};
static long calls;

static unsigned long hash(long key) {
    unsigned long h = (unsigned long)key * 2654435761ul;
    for (int i = 0; i < 3; i++)
        h ^= h >> (i + 7);
    return h;
}
static int slot(long key) { return (int)(hash(key) % (N * THREADS)); }
static int shifted(int i) { return i >> shift; }
static int picked(const int *from, int i) { return from[i] * odd[i % 4] % N; }
static long counted(long v) { return v + ++calls; }
static long polled(long v) { return v + flag; }
static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}
static int sorted(int a, int b) {
    int of[2] = {a, b};
    if (a > b)
        swap(&of[0], &of[1]);
    return of[0] * 3 + of[1];
}
static long factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
static double f(double v) { return v < 0 ? sqrt(-v) : v * v; }
long late(long);
__attribute__((weak)) long weak(long v) { return v; }

static double sum(int n) {
    double s = 0;
    for (int i = 0; i < n; i++) //> prefetch: [keys]
        s += keys[slot(i)];
    for (int i = 0; i < n; i++) { //> prefetch: [keys]
        int at = slot(picks[i]), by = abs(3 - i) % N;
        s += at + shifted(at) * keys[by];
    }
    for (int i = 0; i < n; i++) //> prefetch: cached [x]
        s += f(x[i]) + picked(picks, i);
    for (int i = 0; i < n; i++) //> not prefetch: the address of an
        s += keys[shifted(i)];
    for (int i = 0; i < n; i++) //> not prefetch: the address of an
        s += keys[picked(picks, i)];
    for (int i = 0; i < n; i++) //> not prefetch: the loop calls a function with unknown effects
        s += counted(keys[i]);
    for (int i = 0; i < n; i++) //> not prefetch: the loop calls a function with unknown effects
        s += polled(keys[i]);
    for (int i = 0; i < n; i++) //> not prefetch: the loop calls a function with unknown effects
        s += sorted(i, keys[i] % 7);
    for (int i = 0; i < n; i++) //> not prefetch: the loop calls a function with unknown effects
        s += keys[i] * factorial(i % 5);
    for (int i = 0; i < n; i++) //> not prefetch: the loop calls a function with unknown effects
        s += late(keys[i]) + weak(i);
    for (int i = 0; i < n; i++) //> not prefetch: the loop calls a function with unknown effects
        s += weak(keys[i]);
    return s;
}

int main(void) {
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS) {
        keys[i] = i * 5 % 31;
        x[i] = i % 7 - 3;
    }
    for (int i = 0; i < N; i++)
        picks[i] = i * 17 % N;
    if (MYTHREAD == 0)
        flag = 4;
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        printf("%.9g %ld\n", sum(N), calls);
    upc_barrier;
    return 0;
}

long late(long v) { return v + 1 + ++calls; }
