// Ticks never run backwards, pass with the wall clock, and convert to nanoseconds alike for small and large
// quantities.
//: clause 7.5 p1
//: clause 7.5.1 p1
//: clause 7.5.1 p2
//: clause 7.5.1.1 p1
//: clause 7.5.1.1 p2
//: clause 7.5.1.2 p1
//: clause 7.5.1.2 p2
//: clause 7.5.2.1 p1
//: clause 7.5.2.1 p2
//: clause 7.5.2.1 p3
//: clause 7.5.2.2 p1
//: clause 7.5.2.2 p2
//: clause 7.5.2.2 p3
#include "../../check.h"
#include <time.h>
#include <upc_tick.h>

#if __UPC_TICK__ != 1
#error "the feature macro"
#endif

static const upc_tick_t least = UPC_TICK_MIN, most = UPC_TICK_MAX;

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void wait_for(double time) {
    for (double start = seconds(); seconds() - start < time;)
        ;
}

int main(void) {
    CHECK((upc_tick_t)-1 > 0);
    CHECK(least == 0 && most == (upc_tick_t)-1);
    CHECK(sizeof(upc_ticks_to_ns(0)) == 8);
    CHECK_EQ(upc_ticks_to_ns(0), 0);
    upc_tick_t last = upc_ticks_now();
    for (int i = 0; i < 100000; i++) {
        upc_tick_t now = upc_ticks_now();
        CHECK(now >= last);
        last = now;
    }
    for (int i = 0; i < 5; i++) {
        // The clock is read outside the ticks, then inside: the ticks' time lies between.
        double outer = seconds();
        upc_tick_t start = upc_ticks_now();
        double inner = seconds();
        wait_for(0.02);
        double inner_end = seconds();
        upc_tick_t end = upc_ticks_now();
        double outer_end = seconds(), ticked = upc_ticks_to_ns(end - start) * 1e-9;
        CHECK(ticked > (inner_end - inner) * 0.999 - 1e-6);
        CHECK(ticked < (outer_end - outer) * 1.001 + 1e-6);
    }
    upc_tick_t second = 1;
    while (upc_ticks_to_ns(second) < 1000000000)
        second *= 2;
    CHECK(upc_ticks_to_ns(second * 1000) / 1000 - upc_ticks_to_ns(second) + 2 < 4);
    CHECK(upc_ticks_to_ns(second * 1000) > upc_ticks_to_ns(second * 999));
    CHECK(upc_ticks_to_ns(UPC_TICK_MAX) > upc_ticks_to_ns(UPC_TICK_MAX / 2));
    return 0;
}
