// notify and wait: work between them; all have notified before anyone waits through.
//: clause 6.6.1 p3
//: clause 6.6.1 p4
//: clause 6.6.1 p6
#include "../../check.h"

shared int before[THREADS];

int main(void) {
    long local = 0;
    for (int r = 1; r <= 100; r++) {
        before[MYTHREAD] = r;
        upc_notify;
        for (int i = 0; i < 100 * (MYTHREAD + 1); i++)
            local += i;
        upc_wait;
        for (int t = 0; t < THREADS; t++)
            CHECK(before[t] == r);
        upc_notify r;
        upc_wait r;
    }
    CHECK(local > 0);
    return 0;
}
