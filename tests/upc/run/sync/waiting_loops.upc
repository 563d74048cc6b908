// Loops with empty bodies that wait for another thread's write, in each form of loop, by relaxed and by
// strict objects, with more threads than cores too.
//: clause 6.5.1.1 p6
//: threads 1 2 3 4 8 17
#include "../../check.h"
#include <upc_relaxed.h>

shared int turn;
strict shared int flag[THREADS];

int main(void) {
    for (int round = 0; round < 50; round++) {
        while (turn != round * THREADS + MYTHREAD)
            ;
        upc_fence;
        turn++;
    }
    upc_barrier;
    CHECK(turn == 50 * THREADS);
    flag[MYTHREAD] = 1;
    do {
    } while (!flag[(MYTHREAD + 1) % THREADS]);
    for (; !flag[0];) {
    }
    CHECK(flag[(MYTHREAD + 1) % THREADS] == 1);
    return 0;
}
