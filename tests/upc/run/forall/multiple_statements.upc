// Loops over blocks, over own elements by a cast, with early conditions, with several induction variables,
// with int and long and unsigned bounds: the shapes that an optimiser looks for, and near misses of them.
//: clause 6.6.2 p7
//: clause 6.6.2 p8
#include <upc_relaxed.h>
#include "../../check.h"

#define B 5
#define N (7 * B)
shared[B] int a[N * THREADS], b[N * THREADS];
shared int c[N * THREADS], d[N * THREADS];
shared[B] struct {
    float x, y;
} s[N * THREADS];
static int noise(int i) { return (i * 7919) % 101; }

int main(void) {
    int n = N * THREADS;
    upc_forall(long i = 0; i < n; i++; &a[i]) a[i] = noise(i);
    upc_forall(unsigned i = 0; i < n; i++; &b[i]) b[i] = noise(i + 1);
    upc_forall(int i = 0; i != n; i++; &c[i]) c[i] = noise(i + 2);
    upc_forall(int i = 0; n > i; i++; &d[i]) d[i] = noise(i + 3);
    upc_barrier;
    upc_forall(int i = 0; i < n; i++; &a[i]) {
        int old = a[i];
        a[i] = b[i];
        b[i] = old;
        if (c[i] > 50)
            a[i] -= c[i];
        else
            continue;
        d[i] = a[i] + i;
    }
    upc_barrier;
    for (int i = 0; i < n; i++) {
        CHECK_EQ(b[i], noise(i));
        CHECK_EQ(a[i], noise(i + 1) - (noise(i + 2) > 50 ? noise(i + 2) : 0));
        CHECK_EQ(d[i], noise(i + 2) > 50 ? a[i] + i : noise(i + 3));
    }
    upc_barrier;
    shared[B] int *p = a;
    upc_forall(int i = 0; i < n; i++; &p[i]) p[i] = i;
    upc_barrier;
    p = a + 3;
    upc_forall(int i = 0; i < n - 3; i++; p + i) {
        CHECK_EQ(upc_threadof(p + i), MYTHREAD);
        p[i] *= 2;
    }
    upc_barrier;
    for (int i = 0; i < n; i++)
        CHECK_EQ(a[i], i < 3 ? i : 2 * i);
    upc_forall(int i = 0; i < n; i++; &s[i].x) {
        s[i].x = i;
        s[i].y = -s[i].x;
    }
    upc_forall(int i = 0, j = n - 1; i < n; i++, j--; &c[i]) {
        c[i] = d[i] - j;
        CHECK_EQ(i + j, n - 1);
    }
    upc_barrier;
    for (int i = 0; i < n; i++) {
        CHECK(s[i].y == -i);
        CHECK_EQ(c[i], d[i] - (n - 1 - i));
    }
    int block_sum = 0;
    upc_forall(int k = 0; k < n; k += B; &a[k]) for (int i = k; i < k + B; i++) {
        CHECK_EQ(upc_threadof(&a[i]), MYTHREAD);
        block_sum++;
    }
    CHECK_EQ(block_sum, N);
    upc_forall(int i = 0; i < n; i += 3; &b[i]) b[i] = -1;
    upc_barrier;
    for (int i = 0; i < n; i++)
        CHECK_EQ(b[i], i % 3 ? noise(i) : -1);
    int last = -1;
    upc_forall(int i = 0; i <= n - 1; ++i; &a[i]) {
        CHECK(i > last);
        last = i;
    }
    upc_forall(last = n - 1; last >= 0; last--; &a[last]) a[last] = last;
    CHECK_EQ(last, -1);
    upc_barrier;
    for (int i = 0; i < n; i++)
        CHECK_EQ(a[i], i);
    return 0;
}
