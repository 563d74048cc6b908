// Timing of phases by upc_tick, as benchmarks do: the times are only required to be consistent.
//: clause 7.5 p1
#include <stdio.h>
#include <upc.h>
#include <upc_tick.h>

#define N 2000
shared double a[N * THREADS], b[N * THREADS], c[N * THREADS];
shared double seconds[THREADS][3];

static double timed(void (*phase)(void)) {
    upc_barrier;
    upc_tick_t start = upc_ticks_now();
    phase();
    upc_barrier;
    return upc_ticks_to_ns(upc_ticks_now() - start) * 1e-9;
}

static void init(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &a[i])
        a[i] = i, b[i] = 2 * i, c[i] = 0;
}
static void triad(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &c[i])
        c[i] = a[i] + 0.5 * b[i];
}
static void shift(void) {
    upc_forall (int i = 0; i < N * THREADS - 1; i++; &a[i])
        a[i] = c[i + 1];
}

int main(void) {
    void (*const phases[])(void) = {init, triad, shift};
    upc_tick_t first = upc_ticks_now();
    for (int k = 0; k < 3; k++)
        seconds[MYTHREAD][k] = timed(phases[k]);
    upc_barrier;
    upc_tick_t last = upc_ticks_now();
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        if (seconds[MYTHREAD][k] < 0)
            return 1;
        sum += seconds[MYTHREAD][k];
    }
    if (last < first || sum > upc_ticks_to_ns(last - first) * 1e-9 + 1e-6)
        return 2;
    if (upc_ticks_to_ns(UPC_TICK_MAX) == upc_ticks_to_ns(UPC_TICK_MIN))
        return 3;
    for (int i = 0; i < N * THREADS; i++)
        if (c[i] != 2.0 * i || a[i] != (i < N * THREADS - 1 ? 2.0 * (i + 1) : i))
            return 4;
    return 0;
}
