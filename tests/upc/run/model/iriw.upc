// Independent reads of independent writes, all strict: two readers agree on the order of the writes.
//: clause B.3 strict
//: threads 4 8
//: static 4
#include <upc_relaxed.h>
#include "delay.h"
#include "../../check.h"

strict shared int x, y;
shared int first[THREADS], second[THREADS];

int main(void) {
    for (int round = 0; round < 800; round++) {
        if (MYTHREAD == 0)
            x = y = 0;
        upc_barrier;
        delay(round);
        switch (MYTHREAD) {
        case 0: x = 1; break;
        case 1: y = 1; break;
        case 2:
            first[2] = x;
            second[2] = y;
            break;
        case 3:
            first[3] = y;
            second[3] = x;
            break;
        }
        upc_barrier;
        /* reader 2: x before y; reader 3: y before x */
        CHECK(!(first[2] && !second[2] && first[3] && !second[3]));
    }
    return 0;
}
