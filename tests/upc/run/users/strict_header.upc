/* With upc_strict.h every access is strict by default: flags need no fences, and they fence data that is
 * marked relaxed. */
//: clause 6.4.2 p4
#include <upc_strict.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 40
#define LENGTH 16

shared int ready[THREADS];
shared int taken[THREADS];
relaxed shared [LENGTH] int mail[LENGTH * THREADS];
shared relaxed long checks[THREADS];

static void produce(int round) {
    int to = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < LENGTH; i++)
        mail[to * LENGTH + i] = round * 10000 + MYTHREAD * 100 + i;
    ready[to] = round;
}

static int consume(int round) {
    int from = (MYTHREAD + THREADS - 1) % THREADS, wrong = 0;
    while (ready[MYTHREAD] != round)
        ;
    for (int i = 0; i < LENGTH; i++)
        wrong += mail[MYTHREAD * LENGTH + i] != round * 10000 + from * 100 + i;
    taken[MYTHREAD] = round;
    return wrong;
}

int main(void) {
    int wrong = 0;
    for (int round = 1; round <= ROUNDS; round++) {
        int to = (MYTHREAD + 1) % THREADS;
        while (taken[to] != round - 1)
            ;
        produce(round);
        wrong += consume(round);
        checks[MYTHREAD]++;
    }
    upc_barrier;
    long sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += checks[t];
    if (wrong || sum != (long)ROUNDS * THREADS) {
        fprintf(stderr, "%d: %d wrong, %ld checks\n", MYTHREAD, wrong, sum);
        return 1;
    }
    return 0;
}
