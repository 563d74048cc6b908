// Barriers, locks and spinning on a strict flag hold with many more threads than cores.
//: clause 6.6.1 p4
//: threads 16 32
//: static 24
#include "../../check.h"

strict shared int turn;
shared int counter;

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int r = 0; r < 20; r++)
        upc_barrier r;
    while (turn != MYTHREAD)
        ;
    turn = MYTHREAD + 1;
    for (int i = 0; i < 20; i++) {
        upc_lock(lock);
        counter++;
        upc_unlock(lock);
    }
    upc_barrier;
    CHECK_EQ(counter, 20 * THREADS);
    return 0;
}
