// A bucket sort: keys go to the owner of their range, by counts, prefix sums and block transfers.
//: clause 7.2.5.3 p2
#include <string.h>
#include "../../check.h"

#define N 500
shared[N] unsigned keys[N * THREADS];
shared[] unsigned *shared bucket[THREADS];
#define MAX 64
shared int counts[THREADS][MAX]; /* counts[to][from] */
shared int sizes[THREADS];

static int by_value(const void *a, const void *b) {
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}
static int target(unsigned key) { return (int)((unsigned long)key * THREADS >> 32); }

int main(void) {
    unsigned *mine = (unsigned *)&keys[N * MYTHREAD], state = 77 + MYTHREAD;
    unsigned long sum = 0, sorted_sum = 0;
    static shared unsigned long sums[THREADS], sorted_sums[THREADS];
    for (int i = 0; i < N; i++)
        sum += mine[i] = state = state * 1664525u + 1013904223u;
    sums[MYTHREAD] = sum;
    qsort(mine, N, sizeof *mine, by_value);
    for (int i = 0; i < N; i++)
        counts[target(mine[i])][MYTHREAD]++;
    upc_barrier;
    int total = 0;
    for (int t = 0; t < THREADS; t++)
        total += counts[MYTHREAD][t];
    sizes[MYTHREAD] = total;
    bucket[MYTHREAD] = (shared[] unsigned *)upc_alloc((total + 1) * sizeof(unsigned));
    upc_barrier;
    for (int i = 0; i < N;) {
        int to = target(mine[i]), n = counts[to][MYTHREAD], offset = 0;
        for (int t = 0; t < MYTHREAD; t++)
            offset += counts[to][t];
        upc_memput(bucket[to] + offset, &mine[i], n * sizeof(unsigned));
        i += n;
    }
    upc_barrier;
    unsigned *result = (unsigned *)bucket[MYTHREAD];
    qsort(result, total, sizeof *result, by_value);
    upc_barrier;
    unsigned last = 0;
    for (int i = 0; i < total; i++) {
        CHECK(result[i] >= last && target(result[i]) == MYTHREAD);
        last = result[i];
        sorted_sum += last;
    }
    sorted_sums[MYTHREAD] = sorted_sum;
    upc_barrier;
    unsigned long before = 0, after = 0, all = 0;
    for (int t = 0; t < THREADS; t++) {
        before += sums[t];
        after += sorted_sums[t];
        all += sizes[t];
    }
    CHECK(before == after);
    CHECK_EQ(all, N * THREADS);
    return 0;
}
