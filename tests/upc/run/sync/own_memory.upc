/* A thread that reads its own memory again and again is reached by the others, whose writes and atomics go by
 * message with MERIDIAN_REFERENCE, MERIDIAN_REMOTE or several hosts: its loop calls nothing. */
#include <stdint.h>
#include <upc.h>
#include <upc_atomic.h>
#include "../../check.h"

#define ROUNDS 20
shared int64_t counted[THREADS], written[THREADS];
shared [64] char copied[64 * THREADS];

static void spin_until(volatile int64_t *own, int64_t value) {
    volatile long turns = 0;
    while (*own < value)
        turns++;
}

int main(void) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT64, UPC_INC, 0);
    volatile int64_t *mine = (volatile int64_t *)&counted[MYTHREAD];
    volatile char *text = (volatile char *)&copied[64 * MYTHREAD];
    int next = (MYTHREAD + 1) % THREADS;
    char all[64];
    upc_barrier;
    for (int round = 1; round <= ROUNDS; round++) {
        int64_t old = -1;
        upc_atomic_relaxed(domain, &old, UPC_INC, &counted[next], 0, 0);
        CHECK_EQ(old, round - 1);
        spin_until(mine, round);
        upc_memset(&copied[64 * next], round, 64);
        while (text[63] != round)
            all[0]++;
        written[next] = round;
        upc_fence;
        spin_until((volatile int64_t *)&written[MYTHREAD], round);
        upc_barrier;
    }
    upc_memget(all, &copied[64 * next], 64);
    CHECK_EQ(all[0], ROUNDS);
    upc_all_atomicdomain_free(domain);
    return 0;
}
