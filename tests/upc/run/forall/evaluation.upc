// Evaluations of clauses: the first once, the second once more than the third, the fourth each time.
//: clause 6.6.2 p11
//: clause 6.6.2 p15
//: clause 6.6.2 p5
#include "../../check.h"

static int foo1, foo2, foo3, foo4, foo5;
static int count(int *counter) { return ++*counter; }
shared int bodies[10 * THREADS];

int main(void) {
    int i;
    upc_forall((count(&foo1), i = 0); (count(&foo2), i < 10); (count(&foo3), i++); (count(&foo5), i)) {
        count(&foo4);
        bodies[i]++;
        CHECK(foo1 == 1 && foo2 == i + 1 && foo3 == i && foo5 == i + 1);
    }
    CHECK_EQ(foo1, 1);
    CHECK_EQ(foo2, 11);
    CHECK_EQ(foo3, 10);
    CHECK_EQ(foo5, 10);
    CHECK_EQ(i, 10);
    upc_barrier;
    int here = 0;
    for (i = 0; i < 10; i++) {
        CHECK_EQ(bodies[i], 1);
        here += i % THREADS == MYTHREAD;
    }
    CHECK_EQ(foo4, here);
    return 0;
}
