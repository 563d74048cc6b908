// Peterson's lock, which is right only if strict accesses are sequentially consistent, guards a counter.
//: clause B.3 strict
//: threads 2
//: static 2
#include <upc_strict.h>
#include "../../check.h"

shared int wants[THREADS];
shared int victim;
relaxed shared long counter;

int main(void) {
    int other = 1 - MYTHREAD;
    for (int i = 0; i < 3000; i++) {
        wants[MYTHREAD] = 1;
        victim = MYTHREAD;
        while (wants[other] && victim == MYTHREAD)
            ;
        counter = counter + 1;
        wants[MYTHREAD] = 0;
    }
    upc_barrier;
    CHECK_EQ(counter, 6000);
    return 0;
}
