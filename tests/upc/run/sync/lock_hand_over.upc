// Data guarded by a lock is passed round: each holder sees all writes of the holders before it.
//: clause B.5 sync
//: clause 7.2.4.8 p4
//: repeat 2
#include <upc_relaxed.h>
#include "../../check.h"

#define N 64
shared[] long values[N];
shared long generation;

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int turn = 0; turn < 300; turn++) {
        upc_lock(lock);
        long g = generation;
        for (int i = 0; i < N; i++)
            CHECK_EQ(values[i], g);
        for (int i = N - 1; i >= 0; i--)
            values[i] = g + 1;
        generation = g + 1;
        upc_unlock(lock);
    }
    upc_barrier;
    CHECK_EQ(generation, 300L * THREADS);
    upc_all_lock_free(lock);
    return 0;
}
