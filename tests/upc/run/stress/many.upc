// Barriers in all forms, collectives and shared allocation among many threads, some of which come late; over
// more than sixteen hosts announcements are passed on.
//: threads 4 20
#include <upc_relaxed.h>
#include <upc_collective.h>
#include <unistd.h>
#include "../../check.h"

#define ROUNDS 30

shared int seen[THREADS];
shared long from[THREADS], to[THREADS], sum;

static void neighbours(int round) {
    int next = (MYTHREAD + 1) % THREADS, far = (MYTHREAD + THREADS / 2) % THREADS;
    seen[MYTHREAD] = round;
    if ((round + MYTHREAD) % 7 == 0)
        usleep(300);
    if (round % 3 == 0) {
        upc_barrier round;
    } else if (round % 3 == 1) {
        upc_notify;
        upc_wait;
    } else {
        upc_notify round;
        if (MYTHREAD % 2)
            usleep(100);
        upc_wait round;
    }
    CHECK(seen[next] == round);
    CHECK(seen[far] == round);
    upc_barrier;
}

static void together(int round) {
    int root = round % THREADS;
    long all = 0;
    from[MYTHREAD] = round * 100L + MYTHREAD;
    upc_all_broadcast(to, (shared void *)&from[root], sizeof(long), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK(to[MYTHREAD] == round * 100L + root);
    upc_all_reduceL(&sum, from, UPC_ADD, THREADS, 1, 0, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    for (int t = 0; t < THREADS; t++)
        all += round * 100L + t;
    CHECK(sum == all);
    shared long *buffer = upc_all_alloc(THREADS, sizeof(long));
    buffer[(MYTHREAD + 1) % THREADS] = MYTHREAD;
    upc_barrier;
    CHECK(buffer[MYTHREAD] == (MYTHREAD + THREADS - 1) % THREADS);
    upc_all_free(buffer);
}

int main(void) {
    for (int round = 1; round <= ROUNDS; round++) {
        neighbours(round);
        if (round % 5 == 0)
            together(round);
    }
    return 0;
}
