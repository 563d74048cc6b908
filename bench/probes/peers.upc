/* Meridian itself, at the points of its peers: non-blocking copies and the atomics of UPC. */
#include "peers.h"

#include <upc_atomic.h>
#include <upc_nb.h>

static shared [] char *memory;
static char local[PEER_BYTES];
static upc_atomicdomain_t *domain;

static void peer_get(long i, size_t bytes) {
    upc_memget_nbi(local + (size_t)i * bytes, memory + (size_t)i * bytes, bytes);
}
static void peer_put(long i, size_t bytes) {
    upc_memput_nbi(memory + (size_t)i * bytes, local + (size_t)i * bytes, bytes);
}
static void peer_wait(void) { upc_synci(); }
static void peer_add(void) {
    long one = 1, result;
    upc_atomic_relaxed(domain, &result, UPC_ADD, (shared [] long *)memory, &one, NULL);
    measure_sink = (double)result;
}

int main(int argc, char **argv) {
    shared [PEER_BYTES] char *blocks = upc_all_alloc(THREADS, PEER_BYTES);
    memory = (shared [] char *)(blocks + (THREADS - 1) * PEER_BYTES);
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
    if (MYTHREAD == THREADS - 1)
        upc_memset(memory, 0, PEER_BYTES);
    upc_barrier;
    return PROBE_MAIN(argc, argv, peer_parts);
}
