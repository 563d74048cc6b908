/* <upc_tick.h> (UPC 7.5).
 *
 * A tick is a count of the processor's time-stamp counter if that counter runs at a constant rate and the
 * kernel itself keeps time by it (then it is also in step between cores); elsewhere a nanosecond of
 * CLOCK_MONOTONIC.  The counter costs about a third of the clock.
 *
 * The counter's rate is measured against CLOCK_MONOTONIC over the time from start-up to the first conversion,
 * at least MEASURED_NS, so that the error is below some 1 in 40,000 (base/counter.h).  The time is that short
 * because programs convert a first reading when they begin to measure, and would measure a wait.  The rate is
 * then kept: a thread's conversions agree with each other. */
#include "base/counter.h"

#include <upc/upc_tick.h>

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define MEASURED_NS 500000

#if defined(__x86_64__)
#include <cpuid.h>

static bool by_counter;
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

__attribute__((constructor(102))) static void choose(void) { by_counter = counter_is_good(); }

upc_tick_t upc_ticks_now(void) {
    if (!by_counter)
        return mer_clock_ns();
    /* rdtscp waits for the instructions before it in the program. */
    unsigned core;
    return __rdtscp(&core);
}

static void measure_rate(void) {
    const struct mer_counter_reading start = mer_counter_start;
    struct mer_counter_reading now;
    do
        now = mer_counter_read();
    while (now.ns - start.ns < MEASURED_NS);
    ns_per_tick = (double)(now.ns - start.ns) / (double)(now.ticks - start.ticks);
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
