/* MPI's collectives; the counterpart of collectives.upc. A UPC reduction yields one value of all elements, so
 * this program sums its own elements and reduces one number; the prefix is an exclusive scan of the sums and
 * a second pass over the elements. */
#include "../measure-mpi.h"

#include "collectives.h"

static long *to, *from;

static void make_blocks(void) {
    size_t bytes = MOST_BYTES * (size_t)processes_here;
    to = malloc(bytes);
    from = malloc(bytes);
    if (!to || !from)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memset(to, 1, bytes);
    memset(from, 1, bytes);
}

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
    if (measure_rank == 0)
        before = 0;
    for (long i = 0; i < n / (long)sizeof(long); i++)
        to[i] = before += from[i];
}

static void one_call(enum call call, long n, int all) {
    long sum, total;
    int bytes = (int)n;
    if (all)
        MPI_Barrier(MPI_COMM_WORLD);
    switch (call) {
    case BROADCAST:
        MPI_Bcast(from, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
        break;
    case GATHER:
        MPI_Gather(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
        break;
    case GATHER_ALL:
        MPI_Allgather(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, MPI_COMM_WORLD);
        break;
    case EXCHANGE:
        MPI_Alltoall(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, MPI_COMM_WORLD);
        break;
    case REDUCE:
        sum = own_sum(n);
        MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        break;
    default:
        prefix(n);
    }
    if (all)
        MPI_Barrier(MPI_COMM_WORLD);
}

static double first_to_last(double began, double ended) {
    double first, last;
    MPI_Allreduce(&began, &first, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&ended, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return last - first;
}

int main(int argc, char **argv) {
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &measure_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    processes_here = ranks;
    int code = PROBE_MAIN(argc, argv, parts);
    MPI_Finalize();
    return code;
}
