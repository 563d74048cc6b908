/* ep: pairs of normally distributed numbers, counted in square rings (NAS EP).
 *
 * Of 2^m pairs of uniform numbers those inside the unit circle become Gaussian deviates. The program counts
 * the pairs in each ring l <= max(|X|, |Y|) < l + 1, and sums all X and all Y.
 *
 * Communication: none until the end, and then ten reductions of one number a thread for the rings and two for
 * the sums.  Batches of pairs go to the threads in turn by upc_forall; a thread finds the beginning of a
 * batch in the sequence of random numbers by itself. */
#include "nas.h"
#include "ep.h"

/* One part for each thread in each row, and the results of the reductions of rows. */
static shared unsigned long rings[RINGS][THREADS];
static shared double sums[2][THREADS];
static shared[] unsigned long all_rings[RINGS];
static shared[] double all_sums[2];

/* All threads' tallies, added up on thread 0. */
static void add_up(const struct tally *tally) {
    for (int l = 0; l < RINGS; l++)
        rings[l][MYTHREAD] = tally->rings[l];
    sums[0][MYTHREAD] = tally->x;
    sums[1][MYTHREAD] = tally->y;
    for (int l = 0; l < RINGS; l++)
        upc_all_reduceUL(&all_rings[l], rings[l], UPC_ADD, THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    for (int i = 0; i < 2; i++)
        upc_all_reduceD(&all_sums[i], sums[i], UPC_ADD, THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    upc_barrier;
}

int main(int argc, char **argv) {
    int class = read_class(argc, argv);
    long batches = (1L << classes[class].log_pairs) / BATCH;
    struct tally tally = {0};
    upc_barrier;
    double begin = seconds();
    upc_forall(long k = 0; k < batches; k++; k) count(k * BATCH, &tally);
    add_up(&tally);
    double took = seconds() - begin;
    if (MYTHREAD != 0)
        return 0;

    unsigned long pairs = 0;
    for (int l = 0; l < RINGS; l++) {
        printf("ring %d: %lu pairs\n", l, all_rings[l]);
        pairs += all_rings[l];
    }
    printf("%lu pairs, sums %.8e and %.8e\n", pairs, all_sums[0], all_sums[1]);
    bool good = agrees("the sum of X", all_sums[0], classes[class].sum_x, 1e-8) &
                agrees("the sum of Y", all_sums[1], classes[class].sum_y, 1e-8);
    return verdict("ep", class, good, took, (double)batches * BATCH);
}
