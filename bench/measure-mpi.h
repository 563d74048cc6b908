/* The definitions with which a program in MPI includes measure.h. */
#ifndef BENCH_MEASURE_MPI_H
#define BENCH_MEASURE_MPI_H

#include <mpi.h>

static int measure_rank; /* to be set after MPI_Init */
static long measure_first_rank(long value) {
    MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    return value;
}
#define MEASURE_THREAD measure_rank
#define MEASURE_BARRIER() MPI_Barrier(MPI_COMM_WORLD)
#define MEASURE_FIRST measure_first_rank

#endif
