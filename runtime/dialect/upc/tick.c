/* <upc_tick.h> (UPC 7.5).
 *
 * A tick is a count of the processor's time-stamp counter where that counter runs at one rate whatever the
 * processor does, and the kernel itself keeps time by it (then it is also in step between cores); elsewhere a
 * nanosecond of CLOCK_MONOTONIC.  The counter costs about a third of the clock.
 *
 * Its rate is measured against CLOCK_MONOTONIC over the time from start-up to the first conversion, at least
 * MEASURED_NS, so that the two readings' error of some 50 ns is no more than 1 in 100,000.  The rate is then
 * kept: a thread's conversions agree with each other. */
#include "base/clock.h"

#include <upc/upc_tick.h>

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define MEASURED_NS 5000000

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>

static bool by_counter;
static uint64_t start_ticks, start_ns;
static double ns_per_tick; /* 0: not yet measured */

/* The counter's rate is constant (CPUID 80000007h, EDX bit 8) and the kernel trusts it. */
static bool counter_is_good(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(0x80000007, &a, &b, &c, &d) || !(d >> 8 & 1))
        return false;
    char source[16] = "";
    int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, source, sizeof source - 1);
    close(fd);
    return n >= 3 && memcmp(source, "tsc", 3) == 0;
}

/* One pair of readings; the closest of a few, because the process may lose its core in between. */
static void read_both(uint64_t *ticks, uint64_t *ns) {
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < 5; i++) {
        uint64_t before = __rdtsc(), now = mer_clock_ns(), after = __rdtsc();
        if (after - before < best) {
            best = after - before;
            *ticks = before + best / 2;
            *ns = now;
        }
    }
}

__attribute__((constructor(102))) static void choose(void) {
    by_counter = counter_is_good();
    if (by_counter)
        read_both(&start_ticks, &start_ns);
}

upc_tick_t upc_ticks_now(void) {
    if (!by_counter)
        return mer_clock_ns();
    /* Not before what stands before it in the program: rdtscp waits for that. */
    unsigned core;
    return __rdtscp(&core);
}

static void measure_rate(void) {
    uint64_t ticks, ns;
    do
        read_both(&ticks, &ns);
    while (ns - start_ns < MEASURED_NS);
    ns_per_tick = (double)(ns - start_ns) / (double)(ticks - start_ticks);
}

uint64_t upc_ticks_to_ns(upc_tick_t ticks) {
    if (!by_counter)
        return ticks;
    if (ns_per_tick == 0)
        measure_rate();
    long double ns = (long double)ticks * ns_per_tick;
    return ns < 18446744073709551615.0L ? (uint64_t)ns : UINT64_MAX;
}
#else
upc_tick_t upc_ticks_now(void) { return mer_clock_ns(); }

uint64_t upc_ticks_to_ns(upc_tick_t ticks) { return ticks; }
#endif
