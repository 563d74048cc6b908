// A thread that waits for its own memory to change without calling the runtime is served meanwhile: by the
// progress thread, if others' memory is reached by message. The thread waits through a pointer-to-local, by
// relaxed atomics on an own element, and for data under a lock.
//: threads 2 3
//: env MERIDIAN_REMOTE=1
//: layout 1 1
#include "../../check.h"
#include <stdint.h>
#include <upc.h>
#include <upc_atomic.h>

#define ROUNDS 10

shared int64_t turn[THREADS];
shared int64_t guarded[THREADS];
shared int64_t swapped[THREADS];

int main(void) {
    int next = (MYTHREAD + 1) % THREADS;
    volatile int64_t *own = (volatile int64_t *)&turn[MYTHREAD];
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT64, UPC_GET | UPC_SET | UPC_CSWAP | UPC_INC, 0);
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_barrier;
    for (int64_t round = 1; round <= ROUNDS; round++) {
        int64_t old;
        upc_atomic_relaxed(domain, &old, UPC_INC, &turn[next], NULL, NULL); /* asks the spinning thread for an answer */
        CHECK_EQ(old, round - 1);
        while (*own < round)
            ;
        upc_barrier;
    }
    for (int64_t round = 1; round <= ROUNDS; round++) {
        int64_t got = 0;
        upc_atomic_relaxed(domain, NULL, UPC_SET, &swapped[next], &round, NULL);
        while (got != round) {
            int64_t zero = 0, none = -1;
            if (round % 2)
                upc_atomic_relaxed(domain, &got, UPC_GET, &swapped[MYTHREAD], NULL, NULL);
            else
                upc_atomic_relaxed(domain, &got, UPC_CSWAP, &swapped[MYTHREAD], &none, &zero);
        }
        upc_barrier;
    }
    upc_lock(lock);
    guarded[next] = 1;
    upc_unlock(lock);
    for (int64_t got = 0; got == 0;) {
        upc_lock(lock);
        got = guarded[MYTHREAD];
        upc_unlock(lock);
    }
    upc_barrier;
    upc_all_atomicdomain_free(domain);
    upc_all_lock_free(lock);
    return 0;
}
