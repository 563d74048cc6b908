// Locks of every thread, taken by all in random order, and sometimes tried: one holder at a time, no
// increment lost.
//: threads 2 3 4
#include <upc_relaxed.h>
#include "../../check.h"

#define STEPS 60

upc_lock_t *shared locks[THREADS];
shared int counted[THREADS], holder[THREADS], taken[THREADS];

int main(void) {
    unsigned state = 1 + 77 * MYTHREAD;
    int mine = 0, all = 0, sum = 0;
    locks[MYTHREAD] = upc_global_lock_alloc();
    upc_barrier;
    for (int i = 0; i < STEPS; i++) {
        state = state * 1103515245 + 12345;
        int k = (int)((state >> 16) % THREADS);
        if ((state >> 8) % 5 == 0) {
            if (!upc_lock_attempt(locks[k]))
                continue;
        } else {
            upc_lock(locks[k]);
        }
        CHECK_EQ(holder[k], 0);
        holder[k] = MYTHREAD + 1;
        counted[k]++;
        mine++;
        CHECK_EQ(holder[k], MYTHREAD + 1);
        holder[k] = 0;
        upc_unlock(locks[k]);
    }
    taken[MYTHREAD] = mine;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        sum += counted[t];
        all += taken[t];
    }
    CHECK_EQ(sum, all);
    upc_barrier;
    upc_lock_free(locks[MYTHREAD]);
    return 0;
}
