// Tentative and repeated declarations, extern of incomplete arrays completed later, const shared.
//: clause 6.5 p5
#include "../../check.h"

shared int twice;
shared int twice;
extern shared int thrice;
shared int thrice;
extern shared int thrice;
extern shared[2] int incomplete[];
static shared double hidden[THREADS];

static int read_incomplete(int i) { return incomplete[i]; }

shared[2] int incomplete[4 * THREADS];

int main(void) {
    twice = 3; /* every thread writes the same value */
    thrice = 4;
    for (int i = 0; i < 2; i++)
        incomplete[2 * MYTHREAD + i] = 2 * MYTHREAD + i;
    hidden[MYTHREAD] = MYTHREAD;
    upc_barrier;
    CHECK_EQ(twice + thrice, 7);
    for (int i = 0; i < 2 * THREADS; i++) {
        CHECK_EQ(read_incomplete(i), i);
        CHECK_EQ(upc_threadof(&incomplete[i]), i / 2 % THREADS);
    }
    CHECK(hidden[THREADS - 1] == THREADS - 1);
    return 0;
}
