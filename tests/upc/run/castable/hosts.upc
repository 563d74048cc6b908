// The threads whose memory can be cast, and their distances: all threads of the same host and no others,
// for any number of threads on a host. TEST_LAYOUT gives these numbers; without it all threads are on one
// host, or, with MERIDIAN_REMOTE, each is on a host of its own.
//: clause 7.7.1 p2
//: clause 7.7.2.2 p4
//: layout 1 3
//: layout 3 1
//: layout 1 2 3
//: layout 2 1 1
#include <bupc_extensions.h>
#include <upc_castable.h>
#include <stdlib.h>
#include "../../check.h"

shared int host_of[THREADS];
shared int fixed[THREADS];
shared[] int *shared given[THREADS];

static int where_i_am(void) {
    const char *alone = getenv("MERIDIAN_REMOTE"), *layout = getenv("TEST_LAYOUT");
    if (!layout)
        return alone && *alone == '1' ? MYTHREAD : 0;
    int host = 0, before = 0;
    for (char *end; before + (int)strtol(layout, &end, 10) <= MYTHREAD; layout = end, host++)
        before += (int)strtol(layout, &end, 10);
    return host;
}

// Checks the cast of memory of thread t, and its value; adds to it for its owner.
static void memory(shared void *p, int t, int near, int wanted) {
    int *at = upc_cast(p);
    CHECK_EQ(at != NULL, near);
    CHECK(bupc_cast(p) == at);
    CHECK_EQ(bupc_castable(p), near);
    if (!near)
        return;
    CHECK_EQ(*at, wanted);
    CHECK(bupc_inverse_cast(at) == p);
    __atomic_fetch_add(at, 1000, __ATOMIC_SEQ_CST);
}

int main(void) {
    int here = 0;
    host_of[MYTHREAD] = where_i_am();
    fixed[MYTHREAD] = MYTHREAD;
    given[MYTHREAD] = (shared[] int *)upc_alloc(sizeof(int));
    *given[MYTHREAD] = MYTHREAD + 100;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        int near = host_of[t] == host_of[MYTHREAD], all = near ? UPC_CASTABLE_ALL : 0;
        upc_thread_info_t info = upc_thread_info((size_t)t);
        CHECK(info.guaranteedCastable == all && info.probablyCastable == all);
        CHECK_EQ(bupc_thread_castable((unsigned)t), near);
        for (int u = 0; u < THREADS; u++)
            CHECK_EQ(bupc_thread_distance(t, u), t == u                     ? BUPC_THREADS_SAME
                                                 : host_of[t] == host_of[u] ? BUPC_THREADS_VERYNEAR
                                                                            : BUPC_THREADS_VERYFAR);
        here += near;
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        int near = host_of[t] == host_of[MYTHREAD];
        if (MYTHREAD == t || !near) {
            memory(&fixed[t], t, near, t);
            memory(given[t], t, near, t + 100);
        }
    }
    upc_barrier;
    // Now all neighbours at a time: the owner finds each one's addition.
    for (int t = 0; t < THREADS; t++)
        if (t != MYTHREAD && host_of[t] == host_of[MYTHREAD])
            __atomic_fetch_add((int *)upc_cast(&fixed[t]), 1000, __ATOMIC_SEQ_CST);
    upc_barrier;
    CHECK_EQ(fixed[MYTHREAD], MYTHREAD + 1000 * here);
    CHECK_EQ(*given[MYTHREAD], MYTHREAD + 1100);
    return 0;
}
