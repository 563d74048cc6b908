// Collectives that may begin only when all threads have entered: their results contain all earlier writes
// of any thread, to any thread's memory and of any kind. Writers come late, and some writes pass a barrier
// before they are complete.
//: threads 2 3 4
#include <upc_relaxed.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include <unistd.h>
#include "../../check.h"

#define ROUNDS 240
#define ALL (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)

enum manner { NOT, STORE, STORE_AND_BARRIER, SPLIT_PHASE, IMPLICIT, ATOMIC, COPY, MANNERS };

shared long from[THREADS], to[THREADS], sum;
static upc_atomicdomain_t *domain;
static unsigned state = 99; /* alike on all threads */
static long source;         /* stays valid while a split-phase write is under way */

static unsigned below(unsigned n) {
    state = state * 1103515245 + 12345;
    return (state >> 8) % n;
}

/* The writer makes from[owner] the value; all threads call this. */
static void write_it(enum manner manner, int writer, int owner, long value) {
    upc_handle_t handle = UPC_COMPLETE_HANDLE;
    int mine = MYTHREAD == writer;
    source = value;
    if (mine && below(3) == 0)
        usleep(200);
    if (mine && (manner == STORE || manner == STORE_AND_BARRIER))
        from[owner] = value;
    if (mine && manner == SPLIT_PHASE)
        handle = upc_memput_nb(&from[owner], &source, sizeof source);
    if (mine && manner == IMPLICIT)
        upc_memput_nbi(&from[owner], &source, sizeof source);
    if (mine && manner == ATOMIC)
        upc_atomic_relaxed(domain, 0, UPC_SET, &from[owner], &value, 0);
    if (mine && manner == COPY)
        upc_memput(&from[owner], &source, sizeof source);
    if (manner == STORE_AND_BARRIER || manner == SPLIT_PHASE || manner == IMPLICIT)
        upc_barrier;
    if (mine && manner == SPLIT_PHASE)
        upc_sync(handle);
    if (mine && manner == IMPLICIT)
        upc_synci();
}

int main(void) {
    static long expected[64];
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_SET, 0);
    upc_barrier;
    for (int round = 1; round <= ROUNDS; round++) {
        enum manner manner = below(MANNERS);
        int writer = (int)below(THREADS), owner = (int)below(THREADS);
        unsigned before = state;
        write_it(manner, writer, owner, round);
        state = before; /* the writer alone has drawn more numbers */
        if (manner != NOT)
            expected[owner] = round;
        if (below(2)) {
            upc_all_broadcast((shared void *)to, (shared void *)&from[owner], sizeof(long), ALL);
            CHECK(to[MYTHREAD] == expected[owner]);
            CHECK(to[(MYTHREAD + 1) % THREADS] == expected[owner]);
        } else {
            long all = 0;
            for (int t = 0; t < THREADS; t++)
                all += expected[t];
            upc_all_reduceL(&sum, from, UPC_ADD, THREADS, 1, 0, ALL);
            CHECK(sum == all);
        }
        if (below(4) == 0)
            upc_barrier;
    }
    return 0;
}
