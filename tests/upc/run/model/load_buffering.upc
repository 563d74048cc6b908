// Load buffering, strict: no thread sees a value that only follows from its own write.
//: clause B.3 strict
//: threads 2 4
#include <upc_strict.h>
#include "delay.h"
#include "../../check.h"

shared int x[THREADS], r[THREADS];

int main(void) {
    int partner = MYTHREAD ^ 1;
    for (int round = 0; round < 1000; round++) {
        x[MYTHREAD] = 0;
        upc_barrier;
        delay(round);
        r[MYTHREAD] = x[partner];
        x[MYTHREAD] = 1;
        upc_barrier;
        CHECK(!(r[MYTHREAD] == 1 && r[partner] == 1));
        upc_barrier;
    }
    return 0;
}
