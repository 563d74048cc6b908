// Loops that may read an object and write it through another name: no value may be kept too long.
#include <upc_relaxed.h>
#include "../../check.h"

#define N 40
shared[4] int a[N * THREADS];
shared int limit;
static shared[4] int *alias;
static int global_bound;
static void shrink(void) { global_bound--; }

int main(void) {
    int n = N * THREADS;
    alias = a;
    upc_forall(int i = 0; i < n; i++; &a[i]) a[i] = 1;
    upc_barrier;
    upc_forall(int i = 1; i < n; i++; &a[i]) {
        if (upc_threadof(&a[i - 1]) == MYTHREAD && i % 4) {
            alias[i - 1] += 1;
            a[i] = a[i - 1] + alias[i];
        }
    }
    upc_barrier;
    for (int i = 0; i < n; i++) {
        int block[4], v;
        for (int k = 0; k < 4; k++)
            block[k] = 1;
        for (int k = 1; k < 4; k++) {
            block[k - 1] += 1;
            block[k] = block[k - 1] + block[k];
        }
        v = block[i % 4];
        CHECK_EQ(a[i], v);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        limit = n;
    upc_barrier;
    int runs = 0;
    upc_forall(int i = 0; i < limit; i++; &a[i]) runs++;
    CHECK_EQ(runs, N);
    global_bound = n;
    runs = 0;
    upc_forall(int i = 0; i < global_bound; i++; continue) {
        runs++;
        shrink();
    }
    CHECK_EQ(runs, n / 2);
    int i = 0, *pi = &i, steps = 0;
    upc_forall(i = 0; i < n; i++; continue) {
        *pi += 1;
        steps++;
    }
    CHECK_EQ(steps, n / 2);
    return 0;
}
