/* Neighbours of own elements, in arrays that are dealt out one by one. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 60
shared int a[N * THREADS], b[N * THREADS];
shared [3] int blocks[3 * N * THREADS];
shared strict int flag[N * THREADS];
struct pair {
    int x, y[2];
};
shared struct pair pairs[N * THREADS];

static long by_pointer(shared int *p, int n) {
    long s = 0;
    upc_forall (int i = 2; i < n - 7; i++; &b[i]) //> neighbours: 3 of own elements
        b[i] = p[i - 2] + 3 * p[i + 7] + p[7 + i] - a[i + 1];
    upc_barrier;
    for (int i = 0; i < n; i++)
        s = (3 * s + b[i]) % 1000003;
    return s;
}

int main(void) {
    int n = N * THREADS;
    long s = 0;
    upc_forall (int i = 0; i < n; i++; &a[i]) {
        a[i] = 7 * i % 101;
        b[i] = i;
        flag[i] = i % 5;
        pairs[i].x = i;
        pairs[i].y[1] = 3 * i;
    }
    upc_barrier;
    upc_forall (int i = 1; i < n - 1; i++; &b[i]) //> neighbours: 2 of own elements
        b[i] = a[i - 1] + 2 * a[i] + a[i + 1];
    upc_barrier;
    for (int i = 0; i < n; i++)
        s = (3 * s + b[i]) % 1000003;
    upc_barrier;
    /* The first iteration has no neighbour, and asks for none. */
    upc_forall (unsigned i = 0; i < n; i++; i) { //> neighbours: 3 of own elements
        if (i == 0)
            continue;
        b[i] += pairs[i - 1].x + pairs[i - 1].y[1];
        if (i + 1 < n)
            b[i] -= a[i + 1] + pairs[i + 1].x;
    }
    upc_barrier;
    /* Writes; and a step by THREADS. */
    for (int i = MYTHREAD; i < n - 1; i += THREADS) //> neighbours: 1 of own elements
        a[i + 1] = b[i];
    upc_barrier;
    upc_forall (int i = 5; i < n; i++; &b[i - 5]) //> neighbours: 1 of own elements
        b[i - 5] = a[i] + (int)upc_threadof(&a[i + 1]);
    upc_barrier;
    /* No neighbours: blocks, strict objects, elements at no constant distance. */
    upc_forall (int i = 1; i < n - 1; i++; &b[i])
        b[i] += blocks[i + 1] + flag[i + 1] + a[i / 2];
    upc_barrier;
    for (int i = 0; i < n; i++)
        s = (3 * s + b[i] + a[i]) % 1000003;
    upc_barrier;
    s += by_pointer(&a[1], n - 9);
    upc_barrier;
    printf("%ld\n", s);
    return 0;
}
