/* What a program in MPI says before it includes what it measures itself with (measure.h). */
#ifndef BENCH_MEASURE_MPI_H
#define BENCH_MEASURE_MPI_H

#include <mpi.h>

static int measure_rank; /* to be set behind MPI_Init */
static long measure_first_rank(long value) {
    MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    return value;
}
#define MEASURE_THREAD measure_rank
#define MEASURE_BARRIER() MPI_Barrier(MPI_COMM_WORLD)
#define MEASURE_FIRST measure_first_rank

#endif
