/* The counterpart of spmv.upc: with OpenMP loops over all rows, with MPI a share of the rows for each
 * process, which sends the needed elements of its part of each vector to the others. */
#include "../c/parallel.h"
#define part rank
#include "spmv.h"

static double *x[2]; /* the elements of a vector that the process needs, from column low on */

#ifdef WITH_MPI
static void exchange(double *vector) {
    static MPI_Request *requests;
    int under_way = 0;
    if (!requests)
        requests = need(malloc(2 * processes * sizeof *requests));
    for (int t = 0; t < processes; t++) {
        long many, from = needed(t, rank, &many);
        if (t != rank && many)
            MPI_Irecv(vector + (from - low), (int)many, MPI_DOUBLE, t, 0, MPI_COMM_WORLD,
                      &requests[under_way++]);
    }
    for (int t = 0; t < processes; t++) {
        long many, from = needed(rank, t, &many);
        if (t != rank && many)
            MPI_Isend(vector + (from - low), (int)many, MPI_DOUBLE, t, 0, MPI_COMM_WORLD,
                      &requests[under_way++]);
    }
    MPI_Waitall(under_way, requests, MPI_STATUSES_IGNORE);
}
#else
static void exchange(double *vector) { (void)vector; }
#endif

int main(int argc, char **argv) {
    const char *path = argc == 2 && argv[1][0] && argv[1][1] ? argv[1] : NULL;
    int number = parallel_begin(path ? 1 : argc, argv, "SWA");
    const struct class *class = &classes[number];
    make_matrix(path, number, processes);
    for (int i = 0; i < 2; i++)
        x[i] = need(malloc((high - low + 1) * sizeof(double)));
    all_wait();
    double begin = seconds();
    for (int round = 0; round < class->rounds; round++) {
#pragma omp parallel for
        for (long i = low; i < high; i++)
            x[0][i - low] = begin_value(i);
        for (int step = 0; step < STEPS; step++) {
            const double *from = x[step % 2];
            double *to = x[1 - step % 2] + (first_row - low);
#pragma omp parallel for
            for (long i = 0; i < rows; i++)
                to[i] = row_product(i, from);
            exchange(x[1 - step % 2]);
        }
    }
    double took = seconds() - begin, elements = all_sum(matrix.start[rows]);
    long wrong = count_wrong(x[0] + (first_row - low));
    bool good = agrees("the number of wrong elements", all_sum(wrong), 0, 0);
    return verdict("spmv", good, took, 2 * elements * STEPS * class->rounds);
}
