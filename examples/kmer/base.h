/* kmer, part: messages, sums over all threads, and k-mers as numbers. */
#ifndef KMER_BASE_H
#define KMER_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <upc_relaxed.h>

typedef uint64_t kmer_t; /* two bits a base, the last base lowest */

static int K = 21;
static kmer_t kmer_mask;         /* the 2 * K bits of a k-mer */
static signed char code_of[256]; /* A C G T: 0 to 3; other characters: -1 */

/* ---- messages and small things ------------------------------------------------------------------------- */

static void fail(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fputs("kmer: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    upc_global_exit(1);
}

/* For an error that every thread finds: thread 0 reports it, which ends the others. */
#define fail_all(...)                                                                                        \
    do {                                                                                                     \
        if (MYTHREAD == 0)                                                                                   \
            fail(__VA_ARGS__);                                                                               \
        for (;;)                                                                                             \
            pause();                                                                                         \
    } while (0)

static void *need(void *memory) {
    if (!memory)
        fail("out of memory");
    return memory;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* One number a thread, for the two functions below, which every thread calls and which give the same to
 * all. The first barrier keeps the numbers of the previous call until all have read them. */
static shared uint64_t given[THREADS];

static uint64_t sum_of_all(uint64_t mine) {
    uint64_t sum = 0;
    upc_barrier;
    given[MYTHREAD] = mine;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        sum += given[t];
    return sum;
}

static uint64_t maximum_of_all(uint64_t mine) {
    uint64_t maximum = 0;
    upc_barrier;
    given[MYTHREAD] = mine;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        maximum = given[t] > maximum ? given[t] : maximum;
    return maximum;
}

/* ---- k-mers -------------------------------------------------------------------------------------------- */

static kmer_t reverse_complement(kmer_t x) {
    x = ~x;
    x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
    return __builtin_bswap64(x) >> (64 - 2 * K);
}

static kmer_t canonical(kmer_t x) {
    kmer_t r = reverse_complement(x);
    return x < r ? x : r;
}

static kmer_t append(kmer_t x, int base) { return (x << 2 | base) & kmer_mask; }
static kmer_t prepend(kmer_t x, int base) { return x >> 2 | (kmer_t)base << 2 * (K - 1); }

static uint64_t hash(kmer_t x) {
    x ^= x >> 31;
    x *= 0x7fb5d329728ea185u;
    x ^= x >> 27;
    x *= 0x81dadef4bc2dd44du;
    return x ^ x >> 33;
}

static int owner(uint64_t h) { return (h >> 32) * THREADS >> 32; }

#endif
