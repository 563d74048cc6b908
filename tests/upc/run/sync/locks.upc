// Mutual exclusion: increments under a lock are never lost; one lock for all, one for each slot.
//: clause 7.2.4.1 p1
//: clause 7.2.4.1 p2
//: clause 7.2.4.3 p1
//: clause 7.2.4.3 p2
//: clause 7.2.4.3 p3
//: clause 7.2.4.6 p1
//: clause 7.2.4.6 p2
//: clause 7.2.4.6 p4
//: clause 7.2.4.6 p5
//: clause 7.2.4.6 p6
//: clause 7.2.4.8 p1
//: clause 7.2.4.8 p2
//: clause 7.2.4.8 p4
//: clause B.5 sync
#include "../../check.h"

#define SLOTS 8
shared long counter;
shared long first, second;
shared[] long slots[SLOTS];
upc_lock_t *shared locks[THREADS];
upc_lock_t *slot_lock[SLOTS];

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    CHECK(lock != NULL);
    for (int i = 0; i < SLOTS; i++)
        slot_lock[i] = upc_all_lock_alloc();
    for (int i = 0; i < 500; i++) {
        upc_lock(lock);
        counter = counter + 1;
        CHECK_EQ(first, second);
        first++;
        second++;
        upc_unlock(lock);
        int slot = (i * 7 + MYTHREAD) % SLOTS;
        upc_lock(slot_lock[slot]);
        slots[slot] += 1;
        upc_unlock(slot_lock[slot]);
    }
    upc_barrier;
    CHECK_EQ(counter, 500 * THREADS);
    long sum = 0;
    for (int i = 0; i < SLOTS; i++)
        sum += slots[i];
    CHECK_EQ(sum, 500 * THREADS);
    /* a lock of each thread's own, used by its neighbour */
    locks[MYTHREAD] = upc_global_lock_alloc();
    upc_barrier;
    upc_lock_t *next = locks[(MYTHREAD + 1) % THREADS];
    upc_lock(next);
    upc_unlock(next);
    upc_barrier;
    upc_lock_free(locks[MYTHREAD]);
    upc_all_lock_free(lock);
    for (int i = 0; i < SLOTS; i++)
        upc_all_lock_free(slot_lock[i]);
    return 0;
}
