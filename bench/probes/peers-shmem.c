/* The peer OpenSHMEM. */
#include <shmem.h>

static long peer_word;
static int peer_me(void) { return shmem_my_pe(); }
static long peer_first(long value) {
    if (peer_me() == 0)
        for (int pe = 0; pe < shmem_n_pes(); pe++)
            shmem_long_p(&peer_word, value, pe);
    shmem_barrier_all();
    long first = peer_word;
    shmem_barrier_all();
    return first;
}
#define MEASURE_THREAD peer_me()
#define MEASURE_BARRIER() shmem_barrier_all()
#define MEASURE_FIRST peer_first
#include "peers.h"

static char *memory, local[PEER_BYTES];
static int last;

static void peer_get(long i, size_t bytes) {
    shmem_getmem_nbi(local + (size_t)i * bytes, memory + (size_t)i * bytes, bytes, last);
}
static void peer_put(long i, size_t bytes) {
    shmem_putmem_nbi(memory + (size_t)i * bytes, local + (size_t)i * bytes, bytes, last);
}
static void peer_wait(void) { shmem_quiet(); }
static void peer_add(void) { measure_sink = (double)shmem_long_atomic_fetch_add((long *)memory, 1, last); }

int main(int argc, char **argv) {
    shmem_init();
    last = shmem_n_pes() - 1;
    memory = shmem_malloc(PEER_BYTES);
    memset(memory, 0, PEER_BYTES);
    shmem_barrier_all();
    int code = PROBE_MAIN(argc, argv, peer_parts);
    /* Replaces shmem_finalize, which dies of a segmentation fault in Open MPI 4.1.4 (Debian 12). */
    fflush(stdout);
    shmem_barrier_all();
    shmem_global_exit(code);
}
