// Relaxed data with strict flags, round a ring; and store buffering with flags on their writer, on its
// neighbour and on a third thread: of threads that each write one flag and read the next, at least one
// sees a write.
//: threads 2 3 4
#include <upc_relaxed.h>
#include "../../check.h"

#define ROUNDS 20
#define WORDS 16

strict shared int flag[THREADS], mark[THREADS];
shared int data[WORDS * THREADS], seen[THREADS];

static void pass_on(int round) {
    int next = (MYTHREAD + 1) % THREADS;
    for (int k = 0; k < WORDS; k++)
        data[next + k * THREADS] = 100 * round + k;
    flag[next] = round;
}

static void receive(int round) {
    while (flag[MYTHREAD] != round)
        ;
    for (int k = 0; k < WORDS; k++)
        CHECK_EQ(data[MYTHREAD + k * THREADS], 100 * round + k);
}

/* The flag that this thread writes has its number and `shift' more, and it reads the one after. */
static void store_buffering(int shift) {
    int own = (MYTHREAD + shift) % THREADS, next = (own + 1) % THREADS, any = 0;
    mark[own] = 0;
    upc_barrier;
    mark[own] = 1;
    seen[MYTHREAD] = mark[next];
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        any |= seen[t];
    CHECK(any);
    upc_barrier;
}

int main(void) {
    for (int round = 1; round <= ROUNDS; round++) {
        if (MYTHREAD == 0)
            pass_on(round);
        receive(round);
        if (MYTHREAD != 0)
            pass_on(round);
    }
    upc_barrier;
    for (int round = 0; round < ROUNDS; round++)
        store_buffering(round % 3);
    return 0;
}
