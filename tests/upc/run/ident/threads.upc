// THREADS and MYTHREAD: ints, the same count everywhere, each number once.
//: clause 6.3.1 p1
//: clause 6.3.2 p1
//: clause 5.1.2.1 p1
//: clause 5.1.1.1 p1
#include "../../check.h"

shared int seen[THREADS];

int main(void) {
    CHECK(THREADS >= 1);
    CHECK(MYTHREAD >= 0 && MYTHREAD < THREADS);
    CHECK_EQ(sizeof(THREADS), sizeof(int));
    CHECK_EQ(sizeof(MYTHREAD), sizeof(int));
    CHECK(_Generic(THREADS, int: 1, default: 0));
    CHECK(_Generic(MYTHREAD, int: 1, default: 0));
    seen[MYTHREAD]++;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        CHECK_EQ(seen[t], 1);
    CHECK((-1 < MYTHREAD) && (MYTHREAD - THREADS < 0)); /* signed arithmetic */
    return 0;
}
