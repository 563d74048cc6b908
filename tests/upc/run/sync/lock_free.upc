// Locks freed: null, unlocked, locked, by another thread than made them, and thousands made and freed.
//: clause 7.2.4.4 p1
//: clause 7.2.4.4 p2
//: clause 7.2.4.4 p3
//: clause 7.2.4.4 p4
//: clause 7.2.4.5 p1
//: clause 7.2.4.5 p2
//: clause 7.2.4.5 p3
//: clause 7.2.4.5 p4
//: clause 7.2.4.5 p5
//: clause 7.2.4.5 p7
#include "../../check.h"

upc_lock_t *shared made[THREADS];

int main(void) {
    upc_lock_free(NULL);
    upc_all_lock_free(NULL);
    for (int i = 0; i < 2000; i++) {
        upc_lock_t *l = upc_global_lock_alloc();
        CHECK(l != NULL);
        upc_lock(l);
        if (i % 2)
            upc_unlock(l);
        upc_lock_free(l);
    }
    for (int i = 0; i < 20; i++) {
        upc_lock_t *l = upc_all_lock_alloc();
        upc_lock(l);
        upc_unlock(l);
        upc_all_lock_free(l);
    }
    made[MYTHREAD] = upc_global_lock_alloc();
    upc_barrier;
    upc_lock_free(made[(MYTHREAD + 1) % THREADS]);
    upc_barrier;
    upc_lock_t *all = upc_all_lock_alloc();
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        upc_lock(all);
        upc_lock_free(all);
    }
    upc_barrier;
    return 0;
}
