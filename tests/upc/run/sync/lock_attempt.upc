// upc_lock_attempt: 1 for the new holder, 0 while another has it, and exclusion when it succeeds.
//: clause 7.2.4.7 p1
//: clause 7.2.4.7 p2
//: clause 7.2.4.7 p4
//: clause 7.2.4.7 p5
//: clause 7.2.4.7 p6
#include "../../check.h"

shared int winners, counter;
strict shared int results[THREADS];

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc(), *guard = upc_all_lock_alloc();
    results[MYTHREAD] = upc_lock_attempt(lock);
    upc_barrier;
    int sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += results[t];
    CHECK_EQ(sum, 1);
    if (!results[MYTHREAD])
        CHECK_EQ(upc_lock_attempt(lock), 0);
    upc_barrier;
    if (results[MYTHREAD])
        upc_unlock(lock);
    upc_barrier;
    for (int i = 0; i < 100; i++) {
        while (!upc_lock_attempt(guard))
            ;
        counter++;
        upc_unlock(guard);
    }
    upc_barrier;
    CHECK_EQ(counter, 100 * THREADS);
    upc_all_lock_free(lock);
    upc_all_lock_free(guard);
    return 0;
}
