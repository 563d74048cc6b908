// Store buffering with relaxed accesses and a fence between them: the same guarantee.
//: clause 6.6.1 p5
//: clause B.5 sync
//: threads 2 4
#include <upc_relaxed.h>
#include "delay.h"
#include "../../check.h"

relaxed shared int x[THREADS], r[THREADS];

int main(void) {
    int partner = MYTHREAD ^ 1;
    for (int round = 0; round < 1000; round++) {
        x[MYTHREAD] = 0;
        upc_barrier;
        delay(round);
        x[MYTHREAD] = 1;
        upc_fence;
        r[MYTHREAD] = x[partner];
        upc_barrier;
        CHECK(r[MYTHREAD] + r[partner] >= 1);
    }
    return 0;
}
