// Semaphores: nothing is lost between several producers and consumers, posts order later accesses, attempts
// do not wait, boolean semaphores do not count.
#include <bupc_extensions.h>
#include <upc_relaxed.h>
#include "../../check.h"

#define N 2000
bupc_sem_t *shared sems[THREADS];
shared[N] int boxes[N * THREADS];
shared long taken[THREADS];

// A ring: each thread puts into its right neighbour's memory and posts; the neighbour waits, and reads.
static void ring(void) {
    int right = (MYTHREAD + 1) % THREADS, left = (MYTHREAD + THREADS - 1) % THREADS;
    for (int i = 0; i < N; i++) {
        if (i % 3) {
            boxes[right * N + i] = MYTHREAD + i;
            bupc_sem_post(sems[right]);
        } else {
            int value = MYTHREAD + i;
            if (i % 2)
                bupc_memput_signal(&boxes[right * N + i], &value, sizeof value, sems[right], 1);
            else
                bupc_memput_signal_async(&boxes[right * N + i], &value, sizeof value, sems[right], 1);
        }
        bupc_sem_wait(sems[MYTHREAD]);
        CHECK_EQ(boxes[MYTHREAD * N + i], left + i);
    }
    upc_barrier;
    CHECK_EQ(bupc_sem_try(sems[MYTHREAD]), 0);
    upc_barrier;
}

// All threads post to and take from one semaphore, in lots of different sizes.
static void crowd(void) {
    bupc_sem_t *common = sems[0];
    long got = 0;
    for (int i = 0; i < N; i++) {
        bupc_sem_postN(common, 6);
        if (i % 2) {
            bupc_sem_waitN(common, 5);
            got += 5;
        } else {
            bupc_sem_wait(common);
            got++;
        }
    }
    taken[MYTHREAD] = got;
    upc_barrier;
    long left = (long)N * 6 * THREADS;
    for (int t = 0; t < THREADS; t++)
        left -= taken[t];
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        CHECK_EQ(bupc_sem_tryN(common, left + 1), 0);
        CHECK_EQ(bupc_sem_tryN(common, left), 1);
        CHECK_EQ(bupc_sem_try(common), 0);
    }
    upc_barrier;
}

static void boolean(void) {
    bupc_sem_t *mine = bupc_sem_alloc(BUPC_SEM_BOOLEAN | BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);
    CHECK_EQ(upc_threadof(mine), MYTHREAD);
    CHECK_EQ(bupc_sem_try(mine), 0);
    bupc_sem_post(mine);
    bupc_sem_post(mine);
    bupc_sem_wait(mine);
    CHECK_EQ(bupc_sem_try(mine), 0);
    bupc_sem_postN(mine, 0);
    CHECK_EQ(bupc_sem_tryN(mine, 0), 1);
    CHECK_EQ(bupc_sem_try(mine), 0);
    bupc_sem_free(mine);
    bupc_sem_free(NULL);
}

int main(void) {
    sems[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_MPRODUCER | BUPC_SEM_MCONSUMER);
    upc_barrier;
    ring();
    crowd();
    boolean();
    bupc_sem_free(sems[MYTHREAD]);
    return 0;
}
