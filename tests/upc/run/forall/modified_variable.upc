// The loop variable and the bound may be changed by the body or the condition, as in for.
//: clause 6.6.2 p12
//: clause 6.6.2 p11
#include "../../check.h"

shared int a[64 * THREADS];

int main(void) {
    int i, n = 10 * THREADS, bound = n;
    upc_forall(i = 0; i < bound; i++; continue) {
        if (i == 5)
            i += 3; /* every thread runs every iteration, so they all agree */
        if (i == 9)
            bound = 12;
    }
    CHECK_EQ(i, 12);
    int *p = &i;
    upc_forall(*p = 0; *p < n; ++*p; &a[*p]) a[*p] = *p;
    upc_barrier;
    for (i = 0; i < n; i++)
        CHECK_EQ(a[i], i);
    struct {
        int k;
    } s;
    int total = 0;
    upc_forall(s.k = 0; s.k < n; s.k += 1; s.k) total++;
    CHECK_EQ(total, 10);
    long sum = 0;
    upc_forall(int u = 0, v = n; u < v; u++, v--; u) sum += v - u;
    long wanted = 0;
    for (int u = 0, v = n; u < v; u++, v--)
        if (u % THREADS == MYTHREAD)
            wanted += v - u;
    CHECK_EQ(sum, wanted);
    return 0;
}
