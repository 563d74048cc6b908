/* The counterpart of wavefront.upc: with MPI a process receives each band of its left column and sends its
 * last column on; with OpenMP a thread writes its last column to memory that its neighbour reads, and counts
 * bands. */
#include "../c/parallel.h"
#include "wavefront.h"

#include <sched.h>

static long n;

static long band_end(long first) { return first + BAND < n ? first + BAND : n; }

#ifdef WITH_MPI
static int compute(void) {
    long from = first_of(rank, n), many = share_of(rank, n);
    int *row = need(calloc(many + 1, sizeof *row)), *left = need(calloc(n + 1, sizeof *left));
    int *right = need(calloc(n + 1, sizeof *right));
    for (long first = 0; first < n; first += BAND) {
        int count = (int)(band_end(first) - first);
        if (rank > 0)
            MPI_Recv(left + first + 1, count, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        compute_band(first, first + count, from, many, row, left, right);
        if (rank + 1 < processes)
            MPI_Send(right + first + 1, count, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    }
    return right[n];
}
#else
static struct {
    int *left;
    long bands; /* complete bands of the left column */
    char apart[48];
} * pipe;

static void await(int thread, long bands) {
    for (long there = 0, turns = 0; there < bands; turns++) {
#pragma omp atomic read acquire
        there = pipe[thread].bands;
        if (there < bands && turns > 1000)
            sched_yield();
    }
}

static void compute_columns(int thread, int threads) {
    long from = thread * n / threads, many = (thread + 1) * n / threads - from, bands = 0;
    int *row = need(calloc(many + 1, sizeof *row));
    for (long first = 0; first < n; first += BAND) {
        bands++;
        if (thread > 0)
            await(thread, bands);
        compute_band(first, band_end(first), from, many, row, pipe[thread].left, pipe[thread + 1].left);
#pragma omp atomic write release
        pipe[thread + 1].bands = bands;
    }
    free(row);
}

static int compute(void) {
    int threads = threads_of_process();
#pragma omp parallel num_threads(threads)
    {
#ifdef _OPENMP
        compute_columns(omp_get_thread_num(), threads);
#else
        compute_columns(0, 1);
#endif
    }
    return pipe[threads].left[n];
}
#endif

static void prepare(void) {
    down = need(malloc(n));
    across = need(malloc(n));
    draw_string(down, n, SEED);
    draw_string(across, n, SEED + 2);
#ifndef WITH_MPI
    pipe = need(calloc(threads_of_process() + 1, sizeof *pipe));
    for (int t = 0; t <= threads_of_process(); t++)
        pipe[t].left = need(calloc(n + 1, sizeof(int)));
#endif
}

int main(int argc, char **argv) {
    n = lengths[parallel_begin(argc, argv, "SWA")];
    prepare();
    all_wait();
    double begin = seconds();
    int length = compute();
    all_wait();
    double took = seconds() - begin;
    bool good = true;
    if (rank == processes - 1)
        good = agrees("the length", length, compute_alone(n), 0);
    return verdict("wavefront", all_sum(!good) == 0, took, (double)n * n);
}
