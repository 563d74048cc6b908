/* Times of UPC's collectives.  Arguments: the flags ("all", "my" or "no"), nanoseconds to spend on each
 * measurement, and the calls to measure (all if none is named). */
#include "collectives.h"
#include <upc.h>
#include <upc_collective.h>

static shared void *to, *from;
static shared long total;
static upc_flag_t flags;

static void one(int call, long n) {
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
        upc_all_reduceL(&total, from, UPC_ADD, n / sizeof(long) * THREADS, n / sizeof(long), NULL, flags);
        break;
    case PREFIX:
        upc_all_prefix_reduceL(to, from, UPC_ADD, n / sizeof(long) * THREADS, n / sizeof(long), NULL, flags);
        break;
    }
}

static shared double began[THREADS], ended[THREADS];

static double timed(int call, long n, long calls) {
    upc_barrier;
    began[MYTHREAD] = now();
    for (long i = 0; i < calls; i++)
        one(call, n);
    ended[MYTHREAD] = now();
    upc_barrier;
    double first = began[0], last = ended[0];
    for (int t = 1; t < THREADS; t++) {
        first = began[t] < first ? began[t] : first;
        last = ended[t] > last ? ended[t] : last;
    }
    return (last - first) / calls;
}

static shared long count;

static void measure(int call, long n, double budget) {
    size_t bytes = n * blocks_of(call, THREADS);
    to = upc_all_alloc(THREADS, bytes);
    from = upc_all_alloc(THREADS, bytes);
    memset((char *)((shared char *)to + MYTHREAD), 1, bytes);
    memset((char *)((shared char *)from + MYTHREAD), 1, bytes);
    timed(call, n, 2);
    double each = 0;
    for (long n_calls = 4, last = 0; n_calls != last;) {
        each = timed(call, n, n_calls);
        last = n_calls;
        if (MYTHREAD == 0)
            count = more_calls(last, each * last, budget);
        upc_barrier;
        n_calls = count;
        upc_barrier;
    }
    if (MYTHREAD == 0)
        printf("%s %ld %.1f\n", call_name[call], n, each);
    upc_all_free(to);
    upc_all_free(from);
}

int main(int argc, char **argv) {
    flags = strcmp(argv[1], "my") == 0   ? UPC_IN_MYSYNC | UPC_OUT_MYSYNC
            : strcmp(argv[1], "no") == 0 ? UPC_IN_NOSYNC | UPC_OUT_NOSYNC
                                         : UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;
    for (int call = 0; call < CALLS; call++) {
        int wanted = argc == 3;
        for (int i = 3; i < argc; i++)
            wanted |= strcmp(argv[i], call_name[call]) == 0;
        for (int s = 0; wanted && s < SIZES; s++)
            measure(call, block_bytes[s], atof(argv[2]));
    }
    return 0;
}
