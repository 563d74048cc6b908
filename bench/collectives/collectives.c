/* The counterpart in MPI of collectives.upc: the same results from the same data. A UPC reduction yields one
 * value of all elements, so this program sums its own elements and reduces one number; the prefix is an
 * exclusive scan of the sums and a second pass over the elements. Arguments: "mpi", or "barriers" for a
 * barrier before and after each call, as UPC's ALLSYNC requires; nanoseconds; calls. */
#include "collectives.h"
#include <mpi.h>

static int me, threads, barriers;
static long *to, *from;

static long own_sum(long n) {
    long lane[8] = {0}, sum = 0, elements = n / (long)sizeof(long), i = 0;
    for (; i + 8 <= elements; i += 8)
        for (int j = 0; j < 8; j++)
            lane[j] += from[i + j];
    for (; i < elements; i++)
        sum += from[i];
    for (int j = 0; j < 8; j++)
        sum += lane[j];
    return sum;
}

static void prefix(long n) {
    long sum = own_sum(n), before = 0;
    MPI_Exscan(&sum, &before, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0)
        before = 0;
    for (long i = 0; i < n / (long)sizeof(long); i++)
        to[i] = before += from[i];
}

static void one(int call, long n) {
    long sum, total;
    switch (call) {
    case BROADCAST:
        MPI_Bcast(from, (int)n, MPI_CHAR, 0, MPI_COMM_WORLD);
        break;
    case GATHER:
        MPI_Gather(from, (int)n, MPI_CHAR, to, (int)n, MPI_CHAR, 0, MPI_COMM_WORLD);
        break;
    case GATHER_ALL:
        MPI_Allgather(from, (int)n, MPI_CHAR, to, (int)n, MPI_CHAR, MPI_COMM_WORLD);
        break;
    case EXCHANGE:
        MPI_Alltoall(from, (int)n, MPI_CHAR, to, (int)n, MPI_CHAR, MPI_COMM_WORLD);
        break;
    case REDUCE:
        sum = own_sum(n);
        MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        break;
    case PREFIX:
        prefix(n);
        break;
    }
}

static void between_barriers(int call, long n) {
    if (barriers)
        MPI_Barrier(MPI_COMM_WORLD);
    one(call, n);
    if (barriers)
        MPI_Barrier(MPI_COMM_WORLD);
}

static double timed(int call, long n, long calls) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now();
    for (long i = 0; i < calls; i++)
        between_barriers(call, n);
    double end = now(), first, last;
    MPI_Allreduce(&start, &first, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return (last - first) / (double)calls;
}

static void measure(int call, long n, double budget) {
    size_t bytes = (size_t)n * (size_t)blocks_of(call, threads);
    to = malloc(bytes);
    from = malloc(bytes);
    memset(to, 1, bytes);
    memset(from, 1, bytes);
    timed(call, n, 2);
    double each = 0;
    for (long calls = 4, last = 0; calls != last;) {
        each = timed(call, n, calls);
        last = calls;
        calls = more_calls(last, each * (double)last, budget);
        MPI_Bcast(&calls, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    }
    if (me == 0)
        printf("%s %ld %.1f\n", call_name[call], n, each);
    free(to);
    free(from);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &threads);
    barriers = strcmp(argv[1], "barriers") == 0;
    for (int call = 0; call < CALLS; call++) {
        int wanted = argc == 3;
        for (int i = 3; i < argc; i++)
            wanted |= strcmp(argv[i], call_name[call]) == 0;
        for (int s = 0; wanted && s < SIZES; s++)
            measure(call, block_bytes[s], atof(argv[2]));
    }
    MPI_Finalize();
    return 0;
}
