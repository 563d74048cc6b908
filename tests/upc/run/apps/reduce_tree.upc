// A reduction and a prefix sum by doubling, with barriers between the steps.
#include "../../check.h"

shared long value[THREADS], prefix[THREADS], scratch[THREADS];

int main(void) {
    value[MYTHREAD] = prefix[MYTHREAD] = (MYTHREAD + 1) * (MYTHREAD + 1);
    upc_barrier;
    for (int step = 1; step < THREADS; step *= 2) {
        if (MYTHREAD % (2 * step) == 0 && MYTHREAD + step < THREADS)
            value[MYTHREAD] += value[MYTHREAD + step];
        upc_barrier;
    }
    for (int step = 1; step < THREADS; step *= 2) {
        scratch[MYTHREAD] = prefix[MYTHREAD] + (MYTHREAD >= step ? prefix[MYTHREAD - step] : 0);
        upc_barrier;
        prefix[MYTHREAD] = scratch[MYTHREAD];
        upc_barrier;
    }
    long sum = 0;
    for (int t = 0; t < THREADS; t++) {
        sum += (t + 1) * (t + 1);
        CHECK_EQ(prefix[t], sum);
    }
    CHECK_EQ(value[0], sum);
    return 0;
}
