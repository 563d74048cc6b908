/* A neighbour's memory: upc_memget and upc_memput of several sizes against memcpy, and reads of 8 bytes. */
#include "../measure.h"

#include "../c/plain.h"
#include <string.h>

#define LARGEST (1 << 20)
#define N 4096

typedef struct {
    char bytes[LARGEST];
} area;

static shared area areas[THREADS];
static shared [N] long values[N * THREADS];
static char *from, *to;
static long plain[N];
static int order[N];
static shared [] char *theirs;
static shared [] long *their_values;

#define SIZE(size)                                                                                           \
    KERNEL(memcpy_##size, 1, memcpy(to, from, size))                                                         \
    KERNEL(get_##size, 1, upc_memget(to, theirs, size))                                                      \
    KERNEL(put_##size, 1, upc_memput(theirs, to, size))

SIZE(8)
SIZE(64)
SIZE(1024)
SIZE(16384)
SIZE(65536)
SIZE(1048576)

KERNEL(read_neighbour, N, long sum = 0; shared [] long *p = their_values;
       for (int i = 0; i < N; i++) sum += p[order[i]]; measure_sink = (double)sum)
KERNEL(read_plain, N, measure_sink = (double)plain_gather_long(plain, order, N))

int main(int argc, char **argv) {
    int neighbour = (MYTHREAD + 1) % THREADS;
    theirs = (shared [] char *)areas[neighbour].bytes;
    their_values = (shared [] long *)&values[N * neighbour];
    from = aligned_alloc(64, LARGEST); /* as shared arrays are */
    to = aligned_alloc(64, LARGEST);
    memset(from, 1, LARGEST);
    memset(to, 2, LARGEST);
    upc_memset(&areas[MYTHREAD], 3, LARGEST);
    for (int i = 0; i < N; i++)
        order[i] = i * 1237 % N;
    upc_barrier;
    return MEASURE_MAIN(argc, argv);
}
