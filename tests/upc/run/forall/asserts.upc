// Assertions in loops that go over own elements, that are read ahead, and in nests: they only
// test.
#include <assert.h>
#include <upc_relaxed.h>
#include "../../check.h"

#define N 100
shared int a[N * THREADS], b[N * THREADS], c[N * THREADS];
shared [5] int d[5 * N * THREADS];

int main(void) {
    long sum = 0, wanted = 0;
    int i, k;
    upc_forall (i = 0; i < N * THREADS; i++; i) {
        assert(i >= 0);
        a[i] = i;
        b[i] = i * 7 % (N * THREADS);
        c[i] = 0;
    }
    upc_forall (i = 0; i < 5 * N * THREADS; i++; &d[i]) {
        assert(d[i] == 0);
        d[i] = i;
    }
    upc_barrier;
    for (i = MYTHREAD; i < N * THREADS; i += THREADS) {
        int v = b[i];
        assert(v >= 0 && a[v] == v);
        c[i] = a[v];
    }
    for (i = 0; i < N * THREADS; i++) {
        assert(a[i] == i);
        sum += d[b[i]];
        assert(sum >= 0);
        wanted += i * 7 % (N * THREADS);
    }
    for (i = 0; i < N; i++) {
        assert(b[i] < N * THREADS);
        for (k = 0; k < b[i] % 5; k++) {
            assert(k < 5);
            sum += a[b[(i + k) % N]];
            wanted += (i + k) % N * 7 % (N * THREADS);
        }
    }
    CHECK(sum == wanted);
    upc_barrier;
    upc_forall (i = 0; i < N * THREADS; i++; &c[i])
        assert(c[i] == b[i]);
    return 0;
}
