// Relaxed writes before notify are seen after wait by everyone, in both directions.
//: clause 6.6.1 p6
//: clause B.5 sync
#include <upc_relaxed.h>
#include "delay.h"
#include "../../check.h"

shared[] int *shared parts[THREADS];

int main(void) {
    parts[MYTHREAD] = (shared[] int *)upc_alloc(256 * sizeof(int));
    upc_barrier;
    for (int r = 0; r < 200; r++) {
        int target = (MYTHREAD + r) % THREADS;
        delay(r);
        for (int i = 0; i < 256; i += 16)
            parts[target][i] = r * 1000 + MYTHREAD;
        upc_notify;
        upc_wait;
        int writer = ((MYTHREAD - r) % THREADS + THREADS) % THREADS;
        for (int i = 0; i < 256; i += 16)
            CHECK_EQ(parts[MYTHREAD][i], r * 1000 + writer);
        upc_barrier;
    }
    return 0;
}
