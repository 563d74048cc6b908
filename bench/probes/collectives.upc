/* UPC's collectives; the counterpart of collectives-mpi.c. */
#include <upc.h>
#include <upc_collective.h>

#include "collectives.h"

static shared void *to, *from;
static shared long total;
static shared double begins[THREADS], ends[THREADS];

static void make_blocks(void) {
    size_t bytes = MOST_BYTES * THREADS;
    to = upc_all_alloc(THREADS, bytes);
    from = upc_all_alloc(THREADS, bytes);
    memset((char *)((shared char *)to + MYTHREAD), 1, bytes);
    memset((char *)((shared char *)from + MYTHREAD), 1, bytes);
}

static void one_call(enum call call, long n, int all) {
    upc_flag_t flags = all ? UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC : UPC_IN_MYSYNC | UPC_OUT_MYSYNC;
    long words = n / (long)sizeof(long);
    switch (call) {
    case BROADCAST:
        upc_all_broadcast(to, from, n, flags);
        break;
    case GATHER:
        upc_all_gather(to, from, n, flags);
        break;
    case GATHER_ALL:
        upc_all_gather_all(to, from, n, flags);
        break;
    case EXCHANGE:
        upc_all_exchange(to, from, n, flags);
        break;
    case REDUCE:
        upc_all_reduceL(&total, from, UPC_ADD, words * THREADS, words, NULL, flags);
        break;
    default:
        upc_all_prefix_reduceL(to, from, UPC_ADD, words * THREADS, words, NULL, flags);
    }
}

static double first_to_last(double began, double ended) {
    begins[MYTHREAD] = began;
    ends[MYTHREAD] = ended;
    upc_barrier;
    for (int t = 0; MYTHREAD == 0 && t < THREADS; t++) {
        began = begins[t] < began ? begins[t] : began;
        ended = ends[t] > ended ? ends[t] : ended;
    }
    upc_barrier;
    return ended - began;
}

int main(int argc, char **argv) {
    processes_here = THREADS;
    return PROBE_MAIN(argc, argv, parts);
}
