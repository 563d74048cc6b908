/* spmv in UPC: a thread has in shared memory, twice, the elements of the vector that its rows need. It
 * computes its part of the next vector in one of them, and writes the needed elements to the others; one
 * barrier a product. */
#include "../../examples/nas/nas.h"
#define part MYTHREAD
#define all_wait() upc_barrier
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
        long many, from = needed(MYTHREAD, t, &many);
        if (many)
            upc_memput_nbi(to[t] + (from - lows[t]), own + (from - first_row), many * sizeof(double));
    }
    upc_synci();
    upc_barrier;
}

int main(int argc, char **argv) {
    const char *path = argc == 2 && argv[1][0] && argv[1][1] ? argv[1] : NULL;
    int class = path ? 0 : read_class(argc, argv);
    make_matrix(path, class, THREADS);
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
