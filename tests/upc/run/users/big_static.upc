// Static shared arrays of many megabytes for each thread, touched here and there; those of several
// declarations do not overlap.
//: clause 6.5.2 p2
#include "../../check.h"

#define BIG (1 << 21)
shared[BIG] double wide[BIG * THREADS];
shared int many[BIG * THREADS];
shared[] char one_place[3 << 20];
static shared[1000] struct { short a[3]; char c; } records[1000 * 300 * THREADS];

static long place(long k, long n) { return (k * 2654435761L + 17) % n; }

int main(void) {
    const long n = (long)BIG * THREADS;
    for (long k = MYTHREAD; k < 400; k += THREADS) {
        wide[place(k, n)] = k + 0.5;
        many[place(k + 1000, n)] = k;
    }
    if (MYTHREAD == THREADS - 1)
        for (long k = 0; k < 400; k++)
            one_place[place(k, sizeof one_place)] = k % 100 + 1;
    upc_forall (long k = 0; k < 300L * 1000 * THREADS; k += 997; &records[k]) {
        records[k].a[1] = k % 1000;
        records[k].c = 'x';
    }
    upc_barrier;
    for (long k = 0; k < 400; k++) {
        CHECK(wide[place(k, n)] == k + 0.5);
        CHECK_EQ(many[place(k + 1000, n)], k);
        CHECK(one_place[place(k, sizeof one_place)] != 0);
    }
    for (long k = 0; k < 300L * 1000 * THREADS; k += 997)
        CHECK(records[k].a[1] == k % 1000 && records[k].c == 'x' && records[k].a[0] == 0);
    CHECK_EQ(upc_threadof(&wide[n - 1]), THREADS - 1);
    CHECK_EQ(upc_threadof(&records[1000]), 1 % THREADS);
    CHECK_EQ(sizeof(wide), n * 8);
    return 0;
}
