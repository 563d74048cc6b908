//: clause space 1
/* A processor that reads its own memory again and again is reached by the others, by message too: its loops
 * call nothing. It runs the function of atomic() itself, when it polls. */
#include <split-c/split-c.h>
#include "../check.h"
volatile int flag, stored, counter;
int calls;
int call(int *p) { return ++*p; }

splitc_main()
{
    int round, next = (MYPROC + 1) % PROCS;
    volatile long turns = 0;
    barrier();
    for (round = 1; round <= 20; round++) {
        *toglobal(next, (int *)&flag) = round;
        while (flag < round)
            turns++;
        *toglobal(next, (int *)&stored) :- round;
        while (stored < round)
            turns++;
        fetch_and_add(toglobal(next, (int *)&counter), 1);
        while (counter < round)
            turns++;
        all_store_sync();
    }
    CHECK(atomic(call, toglobal(next, &calls)) == 1);
    barrier();
    CHECK(calls == 1);
    return 0;
}
