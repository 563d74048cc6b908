/* The common part of programs whose one source is both a version with MPI and one with OpenMP.
 *
 * Compiled by mpicc with -DWITH_MPI there are as many processes as data have parts, and each holds one part.
 * Compiled with -fopenmp there is one process, which holds all parts, and OpenMP shares out its loops. The
 * last lines printed have the form of those of the UPC programs of examples/nas. */
#ifndef BENCH_PARALLEL_H
#define BENCH_PARALLEL_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef WITH_MPI
#include <mpi.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

static int rank, processes = 1;

/* Starts. Returns the index in `names' of the class that the only argument names, 0 without an argument. */
static inline int parallel_begin(int argc, char **argv, const char *names) {
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
#endif
    const char *found = argc == 2 && argv[1][0] && !argv[1][1] ? strchr(names, argv[1][0]) : NULL;
    if (argc >= 2 && !found) {
        fprintf(stderr, "usage: %s [%s]\n", argv[0], names);
        exit(2);
    }
    return found ? (int)(found - names) : 0;
}

static inline int threads_of_process(void) {
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

static inline void *need(void *memory) {
    if (!memory) {
        fprintf(stderr, "process %d: out of memory\n", rank);
        abort();
    }
    return memory;
}

/* The parts of n consecutive objects: process t has those from first_of(t, n) up to first_of(t + 1, n). */
static inline long first_of(int t, long n) { return t * n / processes; }
static inline long share_of(int t, long n) { return first_of(t + 1, n) - first_of(t, n); }

/* ---- all processes ------------------------------------------------------------------------------------- */

static inline void all_wait(void) {
#ifdef WITH_MPI
    MPI_Barrier(MPI_COMM_WORLD);
#endif
}

/* Returns the sum of all processes' x, on each. */
static inline double all_sum(double x) {
#ifdef WITH_MPI
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#endif
    return x;
}

/* ---- time and verdict ---------------------------------------------------------------------------------- */

static inline double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Whether a value is the published one; process 0 prints a message if it is not. */
static inline bool agrees(const char *what, double value, double right, double tolerance) {
    bool good = fabs(value - right) <= tolerance * fabs(right);
    if (!good && rank == 0)
        printf("%s is %.14g, must be %.14g\n", what, value, right);
    return good;
}

/* Prints the verdict and the speed, and ends MPI. Returns the exit code. */
static inline int verdict(const char *name, bool good, double took, double operations) {
    if (rank == 0) {
        printf("%s: VERIFICATION %s\n", name, good ? "SUCCESSFUL" : "FAILED");
        printf("time %.6f s, %.1f million operations a second, %d processes of %d threads\n", took,
               operations / took * 1e-6, processes, threads_of_process());
    }
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return good ? 0 : 1;
}

#endif
