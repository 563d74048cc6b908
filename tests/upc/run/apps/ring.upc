// A token goes round by strict flags, a hundred times, while relaxed data travels with it.
//: threads 1 2 3 4
#include <upc_relaxed.h>
#include "../../check.h"

strict shared int token[THREADS];
shared[8] long luggage[8 * THREADS];

int main(void) {
    int next = (MYTHREAD + 1) % THREADS;
    for (int round = 1; round <= 100; round++) {
        if (MYTHREAD > 0 || round > 1)
            while (token[MYTHREAD] != round - (MYTHREAD == 0))
                ;
        long v = luggage[8 * MYTHREAD + round % 8];
        CHECK_EQ(v, MYTHREAD == 0 && round == 1 ? 0 : (round - 1) * THREADS + MYTHREAD);
        luggage[8 * next + (round + (next == 0)) % 8] = v + 1;
        token[next] = round;
    }
    upc_barrier;
    CHECK_EQ(luggage[101 % 8], 100 * THREADS);
    return 0;
}
