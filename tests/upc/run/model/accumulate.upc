//: clause B.5 sync
/* Updates and extrema of relaxed objects, which their owners may do (crates/opt, accumulate.rs and
 * extremum.rs), keep the order that the model promises: a thread's own accesses to the object in the
 * program's order, all of them before a strict access, a lock's release or a barrier. */
#include <upc_relaxed.h>
#include "../../check.h"

#define N 40
shared [N] long count[N * THREADS];
shared double sum[THREADS];
shared unsigned char small[8 * THREADS];
strict shared int flag[THREADS];
shared int data[THREADS], locked[THREADS], greatest[THREADS];

/* Checks this thread's reads between its writes and updates of one object. */
static void own_order(int t) {
    shared [N] long *p = &count[t * N];
    for (int i = 0; i < N; i++, p++) {
        *p = i;
        *p += 5;
        CHECK_EQ(*p, i + 5);
        *p ^= 1;
        ++*p;
        CHECK_EQ(*p, ((i + 5) ^ 1) + 1);
        *p = -i;
        *p -= 3u;
    }
    for (int i = 0; i < N; i++)
        CHECK_EQ(count[t * N + i], -i - 3);
    for (int i = 0; i < N; i++) {
        if (count[t * N + i] < i - 30)
            count[t * N + i] = i - 30;
        count[t * N + i] += 2;
        if (count[t * N + i] > 1)
            count[t * N + i] = 1;
        long least = (-i - 3 < i - 30 ? i - 30 : -i - 3) + 2;
        least = least > 1 ? 1 : least;
        CHECK_EQ(count[t * N + i], least);
        count[t * N + i] = 7;
        count[t * N + i] = least >= count[t * N + i] ? count[t * N + i] : least;
        CHECK_EQ(count[t * N + i], least);
        count[t * N + i] = -i - 3;
    }
    long copy[N];
    for (int i = 0; i < N; i++)
        count[t * N + i] |= 1L << 40;
    upc_memget(copy, &count[t * N], sizeof copy);
    for (int i = 0; i < N; i++)
        CHECK_EQ(copy[i], (-i - 3) | 1L << 40);
}

/* Neighbours in one word, each updated by another thread. */
static void neighbours(void) {
    for (int round = 0; round < 50; round++)
        for (int t = 0; t < THREADS; t++)
            if (MYTHREAD < 8)
                small[MYTHREAD * THREADS + t] += MYTHREAD + 1;
    upc_barrier;
    for (int k = 0; k < 8 && k < THREADS; k++)
        CHECK_EQ(small[k * THREADS + MYTHREAD], (unsigned char)(50 * (k + 1)));
}

/* An update is complete before the strict write after it. */
static void message(int t) {
    for (int round = 1; round <= 20; round++) {
        data[t] += round;
        if (2 * round > greatest[t])
            greatest[t] = 2 * round;
        flag[t] = round;
        while (flag[MYTHREAD] != round)
            ;
        CHECK_EQ(data[MYTHREAD], round * (round + 1) / 2);
        CHECK_EQ(greatest[MYTHREAD], 2 * round);
        upc_barrier;
    }
}

int main(void) {
    int t = (MYTHREAD + 1) % THREADS;
    upc_lock_t *lock = upc_all_lock_alloc();
    own_order(t);
    upc_barrier;
    neighbours();
    message(t);
    for (int i = 0; i < 30; i++) {
        upc_lock(lock);
        for (int k = 0; k < THREADS; k++)
            locked[k]++;
        upc_unlock(lock);
    }
    for (int i = 0; i < 100; i++)
        sum[t] += i / 4.0;
    upc_barrier;
    CHECK_EQ(locked[MYTHREAD], 30 * THREADS);
    CHECK(sum[MYTHREAD] == 1237.5);
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock_free(lock);
    return 0;
}
