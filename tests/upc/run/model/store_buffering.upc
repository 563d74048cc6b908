// Store buffering with strict accesses: both readers cannot miss both writes. Rounds are kept apart by
// barriers, so that each starts from zero.
//: clause B.3 strict
//: threads 2 4
#include <upc_relaxed.h>
#include "delay.h"
#include "../../check.h"

strict shared int x[THREADS], r[THREADS];

int main(void) {
    int partner = MYTHREAD ^ 1;
    for (int round = 0; round < 1000; round++) {
        x[MYTHREAD] = 0;
        upc_barrier;
        delay(round);
        x[MYTHREAD] = 1;
        r[MYTHREAD] = partner < THREADS ? x[partner] : 1;
        upc_barrier;
        if (partner < THREADS)
            CHECK(r[MYTHREAD] + r[partner] >= 1);
    }
    return 0;
}
