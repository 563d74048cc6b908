/* The peer MPI: one-sided communication of MPI-3, in a passive epoch. */
#include "../measure-mpi.h"

#include "peers.h"

static MPI_Win window;
static int last;
static char local[PEER_BYTES];

static void peer_get(long i, size_t bytes) {
    MPI_Get(local + (size_t)i * bytes, (int)bytes, MPI_BYTE, last, i * (MPI_Aint)bytes, (int)bytes, MPI_BYTE,
            window);
}
static void peer_put(long i, size_t bytes) {
    MPI_Put(local + (size_t)i * bytes, (int)bytes, MPI_BYTE, last, i * (MPI_Aint)bytes, (int)bytes, MPI_BYTE,
            window);
}
static void peer_wait(void) { MPI_Win_flush(last, window); }
static void peer_add(void) {
    long one = 1, result;
    MPI_Fetch_and_op(&one, &result, MPI_LONG, last, 0, MPI_SUM, window);
    MPI_Win_flush(last, window);
    measure_sink = (double)result;
}

int main(int argc, char **argv) {
    char *memory;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &measure_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    last = size - 1;
    MPI_Win_allocate(PEER_BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memset(memory, 0, PEER_BYTES);
    MPI_Win_lock_all(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    int code = PROBE_MAIN(argc, argv, peer_parts);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return code;
}
