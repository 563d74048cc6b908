// Counting the k-mers of a text: each thread packs its part's k-mers into buffers for their owners, reserves
// places in the owners' queues by atomic additions, and puts the buffers there; compared with a serial count.
//: clause 7.4.1 p1
#include <stdint.h>
#include <string.h>
#include <upc_atomic.h>
#include "../../check.h"

#define K 5
#define EACH 150
#define KINDS (1 << 2 * K)
#define QUEUE (EACH * 64)

shared[EACH] char text[EACH * THREADS];
shared int64_t tails[THREADS];
shared[] uint32_t *shared queues[THREADS];
static upc_atomicdomain_t *adds;
static uint32_t buffers[64][16];
static int filled[64];

static char letter(int i) { return "ACGT"[(i * i + i / 3 + i / 7 * 5) & 3]; }
static int code(char c) { return c == 'A' ? 0 : c == 'C' ? 1 : c == 'G' ? 2 : 3; }
static int owner(uint32_t kmer) { return (kmer * 2654435761u >> 7) % THREADS; }

static void flush(int t) {
    int64_t at, n = filled[t];
    if (!n)
        return;
    upc_atomic_relaxed(adds, &at, UPC_ADD, &tails[t], &n, NULL);
    CHECK(at + n <= QUEUE);
    upc_memput(queues[t] + at, buffers[t], n * sizeof(uint32_t));
    filled[t] = 0;
}

int main(void) {
    const int n = EACH * THREADS;
    adds = upc_all_atomicdomain_alloc(UPC_INT64, UPC_ADD, 0);
    queues[MYTHREAD] = upc_alloc(QUEUE * sizeof(uint32_t));
    upc_forall (int i = 0; i < n; i++; &text[i])
        text[i] = letter(i);
    upc_barrier;
    upc_forall (int i = 0; i <= n - K; i++; &text[i]) {
        uint32_t kmer = 0;
        for (int j = 0; j < K; j++)
            kmer = kmer << 2 | code(text[i + j]);
        int t = owner(kmer);
        buffers[t][filled[t]++] = kmer;
        if (filled[t] == 16)
            flush(t);
    }
    for (int t = 0; t < THREADS; t++)
        flush(t);
    upc_barrier;
    int *counts = calloc(KINDS, sizeof *counts), *want = calloc(KINDS, sizeof *want);
    const uint32_t *queue = (const uint32_t *)queues[MYTHREAD];
    for (int64_t i = 0; i < tails[MYTHREAD]; i++)
        counts[queue[i]]++;
    uint32_t kmer = 0;
    for (int i = 0; i < n; i++) {
        kmer = (kmer << 2 | code(letter(i))) & (KINDS - 1);
        if (i >= K - 1)
            want[kmer]++;
    }
    long all = 0;
    for (int k = 0; k < KINDS; k++)
        CHECK_EQ(counts[k], owner(k) == MYTHREAD ? want[k] : 0);
    for (int t = 0; t < THREADS; t++)
        all += tails[t];
    CHECK_EQ(all, n - K + 1);
    upc_barrier;
    upc_free(queues[MYTHREAD]);
    upc_all_atomicdomain_free(adds);
    free(counts), free(want);
    return 0;
}
