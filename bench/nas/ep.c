/* NAS EP, the counterpart of examples/nas/ep.upc: with OpenMP, a loop over batches with reductions; with MPI,
 * a share of them for each process, and three reductions at the end. */
#include "../c/parallel.h"
#include "../../examples/nas/ep.h"

int main(int argc, char **argv) {
    int class = parallel_begin(argc, argv, "SWA");
    long batches = (1L << classes[class].log_pairs) / BATCH, end = first_of(rank + 1, batches);
    unsigned long rings[RINGS] = {0};
    double x = 0, y = 0;
    all_wait();
    double begin = seconds();
#pragma omp parallel for schedule(static, 1) reduction(+ : rings, x, y)
    for (long k = first_of(rank, batches); k < end; k++) {
        struct tally tally = {0};
        count(k * BATCH, &tally);
        for (int l = 0; l < RINGS; l++)
            rings[l] += tally.rings[l];
        x += tally.x;
        y += tally.y;
    }
#ifdef WITH_MPI
    MPI_Allreduce(MPI_IN_PLACE, rings, RINGS, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
#endif
    x = all_sum(x);
    y = all_sum(y);
    double took = seconds() - begin;
    bool good = agrees("the sum of X", x, classes[class].sum_x, 1e-8) &
                agrees("the sum of Y", y, classes[class].sum_y, 1e-8);
    for (int l = 0; l < RINGS && rank == 0; l++)
        printf("ring %d: %lu pairs\n", l, rings[l]);
    return verdict("ep", good, took, (double)batches * BATCH);
}
