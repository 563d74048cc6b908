// The identity of locks: one for collective calls, others are different; equality of lock pointers.
//: clause 7.2.4.1 p3
//: clause 7.2.4.2 p1
//: clause 7.2.4.2 p2
//: clause 7.2.4.2 p3
//: clause 7.2.4.3 p3
#include "../../check.h"

upc_lock_t *shared all[THREADS];
upc_lock_t *shared own[THREADS];

int main(void) {
    all[MYTHREAD] = upc_all_lock_alloc();
    own[MYTHREAD] = upc_global_lock_alloc();
    upc_lock_t *another = upc_all_lock_alloc();
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        CHECK(all[t] == all[0]);
        CHECK(own[t] != all[0] && own[t] != NULL && another != all[t]);
        for (int u = 0; u < t; u++)
            CHECK(own[t] != own[u]);
    }
    CHECK(upc_lock_attempt(own[MYTHREAD]) == 1);
    upc_unlock(own[MYTHREAD]);
    upc_barrier;
    return 0;
}
