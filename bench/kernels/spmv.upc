/* spmv in UPC: a thread has in shared memory what its rows need of the vector, twice.  It computes its
 * part of the next vector in one of them, and writes to the others what they need of it; one barrier a
 * product. */
#include "../../examples/nas/nas.h"
#include "spmv.h"

typedef shared[] double *vector_t;
static shared vector_t directory[2][THREADS];
static vector_t *vectors[2]; /* each thread's own copy of the directory */

static void make_vectors(void) {
    for (int i = 0; i < 2; i++) {
        vectors[i] = need(malloc(THREADS * sizeof *vectors[i]));
        directory[i][MYTHREAD] = (vector_t)need_shared((high - low + 1) * sizeof(double));
    }
    upc_barrier;
    for (int i = 0; i < 2; i++)
        for (int t = 0; t < THREADS; t++)
            vectors[i][t] = directory[i][t];
}

/* Writes this thread's part of a vector to all that need some of it. */
static void send(const vector_t *to) {
    const double *own = (double *)to[MYTHREAD] + (first_row - low);
    for (int step = 1; step < THREADS; step++) {
        int t = (MYTHREAD + step) % THREADS;
        long their_low = low_of(first_of(t, n)), their_high = high_of(first_of(t + 1, n));
        long from = their_low > first_row ? their_low : first_row;
        long end = their_high < first_row + rows ? their_high : first_row + rows;
        if (from < end)
            upc_memput_nbi(to[t] + (from - their_low), own + (from - first_row),
                           (end - from) * sizeof(double));
    }
    upc_synci();
    upc_barrier;
}

int main(int argc, char **argv) {
    int class = read_class(argc, argv);
    side = classes[class].side;
    n = side * side * side;
    rows = share_of(MYTHREAD, n);
    first_row = first_of(MYTHREAD, n);
    make_matrix();
    make_vectors();
    double *x[2] = {(double *)vectors[0][MYTHREAD], (double *)vectors[1][MYTHREAD]};
    upc_barrier;
    double begin = seconds();
    for (int round = 0; round < classes[class].rounds; round++) {
        for (long i = low; i < high; i++)
            x[0][i - low] = begin_value(i);
        for (int step = 0; step < STEPS; step++) {
            const double *from = x[step % 2];
            double *to = x[1 - step % 2] + (first_row - low);
            for (long i = 0; i < rows; i++)
                to[i] = row_product(i, from);
            send(vectors[1 - step % 2]);
        }
    }
    double took = seconds() - begin, elements = all_sum(matrix.start[rows]);
    bool good = agrees("the number of wrong elements", all_sum(count_wrong(x[0] + (first_row - low))), 0, 0);
    return verdict("spmv", class, good, took, 2 * elements * STEPS * classes[class].rounds);
}
