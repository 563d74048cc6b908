// Pointers, threads and ticks.
#include <errno.h>
#include <string.h>
#include <bupc_extensions.h>
#include "../../check.h"

shared int cyclic[10 * THREADS];
shared[4] short blocked[40 * THREADS];
shared[] char whole[50];

static void arithmetic(void) {
    for (int i = 0; i < 10 * THREADS; i++)
        for (int j = 0; j < 10 * THREADS; j += 3)
            CHECK(bupc_ptradd(&cyclic[i], 1, sizeof(int), j - i) == (shared void *)&cyclic[j]);
    for (int i = 0; i < 40 * THREADS; i += 7)
        for (int j = 0; j < 40 * THREADS; j += 5) {
            shared void *p = bupc_ptradd(&blocked[i], 4, sizeof(short), j - i);
            CHECK(p == (shared void *)&blocked[j]);
            CHECK_EQ(upc_phaseof(p), j % 4);
        }
    CHECK(bupc_ptradd(&whole[3], 0, 5, 9) == (shared void *)&whole[48]);
}

static void casts(void) {
    int next = (MYTHREAD + 1) % THREADS;
    shared void *p = &cyclic[next];
    CHECK_EQ(bupc_castable(p), bupc_thread_castable(next));
    CHECK(bupc_thread_castable(MYTHREAD));
    CHECK(!bupc_thread_castable(THREADS));
    int *at = (int *)bupc_cast(p);
    CHECK_EQ(at != NULL, bupc_castable(p));
    if (at) { /* on this host */
        *at = next + 100;
        CHECK_EQ(cyclic[next], next + 100);
        CHECK(bupc_inverse_cast(at) == p);
        CHECK_EQ(upc_threadof(bupc_inverse_cast(at)), next);
    }
    int here = 0;
    CHECK(bupc_inverse_cast(&here) == NULL);
    CHECK(bupc_cast(NULL) == NULL);
    short *own = (short *)&blocked[4 * MYTHREAD + 2];
    shared void *theirs = bupc_local_to_shared(own, next, 2);
    CHECK(theirs == (shared void *)&blocked[4 * next + 2]);
    CHECK_EQ(upc_phaseof(theirs), 2);
    CHECK(bupc_local_to_shared(NULL, 0, 0) == NULL);
}

static void texts(void) {
    char text[200], wanted[40];
    CHECK_EQ(bupc_dump_shared(&blocked[4 * MYTHREAD + 3], text, sizeof text), 0);
    snprintf(wanted, sizeof wanted, "thread=%d, phase=3>", MYTHREAD);
    CHECK(strstr(text, wanted) != NULL);
    CHECK_EQ(bupc_dump_shared(NULL, text, BUPC_DUMP_MIN_LENGTH), 0);
    CHECK(strcmp(text, "<NULL>") == 0);
    errno = 0;
    CHECK_EQ(bupc_dump_shared(NULL, text, BUPC_DUMP_MIN_LENGTH - 1), -1);
    CHECK_EQ(errno, EINVAL);
}

static void others(void) {
    CHECK_EQ(bupc_thread_distance(MYTHREAD, MYTHREAD), BUPC_THREADS_SAME);
    if (THREADS > 1)
        CHECK(bupc_thread_distance(0, THREADS - 1) > BUPC_THREADS_SAME &&
              (bupc_thread_distance(0, 1) <= BUPC_THREADS_NEAR || MYTHREAD > 0 || !bupc_thread_castable(1)));
    bupc_tick_t start = bupc_ticks_now(), now = start;
    while (bupc_ticks_to_us(now - start) < 1000) {
        bupc_poll();
        bupc_tick_t later = bupc_ticks_now();
        CHECK(later >= now);
        now = later;
    }
    CHECK(bupc_ticks_to_ns(now - start) >= 1000000);
    CHECK(start > BUPC_TICK_MIN && now < BUPC_TICK_MAX);
    CHECK(bupc_tick_granularity() > 0 && bupc_tick_granularity() < 1000000);
    CHECK(bupc_tick_overhead() >= 0);
}

static void traces(void) {
    int x = 3;
    bupc_trace_printf(("x is %d on %d", x, MYTHREAD));
    bupc_trace_setmask("PG");
    bupc_stats_setmask("H");
    CHECK(!strcmp(bupc_trace_getmask(), "PG") && !strcmp(bupc_stats_getmask(), "H"));
    bupc_trace_settracelocal(0);
    CHECK_EQ(bupc_trace_gettracelocal(), 0);
    CHECK_EQ(x, 3);
}

int main(void) {
    traces();
    arithmetic();
    upc_barrier;
    casts();
    texts();
    others();
    return 0;
}
