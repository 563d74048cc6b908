// Random walks into a shared histogram with no locks, each thread to its own column, summed at the end.
#include "../../check.h"

#define BINS 32
shared int column[BINS][THREADS];

int main(void) {
    unsigned state = 1 + MYTHREAD;
    for (int i = 0; i < 2000; i++) {
        int at = BINS / 2;
        for (int s = 0; s < 20; s++) {
            state = state * 1664525u + 1013904223u;
            at += (state >> 30 & 1) * 2 - 1;
            if (at < 0 || at >= BINS)
                at = BINS / 2;
        }
        column[at][MYTHREAD]++;
    }
    upc_barrier;
    for (int b = 0; b < BINS; b++)
        CHECK_EQ(upc_threadof(&column[b][MYTHREAD]), MYTHREAD);
    long total = 0;
    for (int b = 0; b < BINS; b++)
        for (int t = 0; t < THREADS; t++)
            total += column[b][t];
    CHECK_EQ(total, 2000 * THREADS);
    return 0;
}
