// Barriers in loops, conditionals and functions; thousands of them stay in step.
//: clause 6.6.1 p3
#include "../../check.h"

shared int counter;
static void meet(int n) {
    while (n-- > 0)
        upc_barrier n;
}

int main(void) {
    for (int r = 0; r < 300; r++) {
        if (r % THREADS == MYTHREAD)
            counter++;
        upc_barrier;
    }
    CHECK_EQ(counter, 300);
    meet(500);
    if (counter)
        upc_barrier;
    else
        upc_barrier 1;
    switch (counter) {
    case 300: upc_notify; upc_wait; break;
    }
    return 0;
}
