/* The reference of the machine itself: copies within the memory of one process, and an atomic addition. */
#include <stdlib.h>

#define MEASURE_THREAD 0
#define MEASURE_BARRIER() ((void)0)
#define MEASURE_FIRST(value) (value)
#include "peers.h"

static char *memory, *local;

static void peer_get(long i, size_t bytes) {
    memcpy(local + (size_t)i * bytes, memory + (size_t)i * bytes, bytes);
    MEASURE_FORGET();
}
static void peer_put(long i, size_t bytes) {
    memcpy(memory + (size_t)i * bytes, local + (size_t)i * bytes, bytes);
    MEASURE_FORGET();
}
static void peer_wait(void) {}
static void peer_add(void) {
    measure_sink = (double)__atomic_fetch_add((long *)(void *)memory, 1, __ATOMIC_RELAXED);
}

int main(int argc, char **argv) {
    memory = calloc(1, PEER_BYTES);
    local = calloc(1, PEER_BYTES);
    if (!memory || !local)
        return 1;
    return PROBE_MAIN(argc, argv, peer_parts);
}
