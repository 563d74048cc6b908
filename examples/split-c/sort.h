/* The common part of the four sorts: the keys, the serial sort with which they are compared, and the
 * program around them.
 *
 * The keys of a sort are a spread array with one block for each processor, all blocks of the same length;
 * when it ends, the blocks one after the other are in order. The sort chooses the length, because some
 * algorithms need more than keys / PROCS; the places past the last key are filled with the largest possible
 * key, and stay last.
 *
 * A program includes this file first, and defines the following three names. */
#ifndef SORT_H
#define SORT_H

#include "arguments.h"
#include <limits.h>
#include <string.h>

static const char sort_name[];

/* Keys a processor for n keys in all; at least n / PROCS, rounded up. */
static long block_length(long n);

/* Sorts the PROCS blocks of m keys; collective. */
static void sort_blocks(long m, unsigned keys[PROCS] ::[m]);

/* ---- functions for the sorts ------------------------------------------------------------------------ */

#define RADIX_BITS 8
#define RADIX (1 << RADIX_BITS)
#define KEY_BITS 32

/* n / parts, rounded up. */
static inline long share(long n, long parts) { return (n + parts - 1) / parts; }

static int digit(unsigned key, int shift) { return key >> shift & (RADIX - 1); }

/* One pass of a serial radix sort: `from' into `to', by the digit at `shift', in stable order. */
static void radix_pass(const unsigned *from, unsigned *to, long n, int shift) {
    long place[RADIX] = {0}, i, before = 0;
    int d;
    for (i = 0; i < n; i++)
        place[digit(from[i], shift)]++;
    for (d = 0; d < RADIX; d++) {
        long here = place[d];
        place[d] = before;
        before += here;
    }
    for (i = 0; i < n; i++)
        to[place[digit(from[i], shift)]++] = from[i];
}

/* Sorts n keys of this processor; `spare' has room for as many. */
static inline void sort_own(unsigned *keys, unsigned *spare, long n) {
    int shift;
    for (shift = 0; shift < KEY_BITS; shift += 2 * RADIX_BITS) {
        radix_pass(keys, spare, n, shift);
        radix_pass(spare, keys, n, shift + RADIX_BITS);
    }
}

/* Memory of this processor for n keys; without it the program ends. */
static unsigned *own_keys(long n) {
    unsigned *keys = malloc((n ? n : 1) * sizeof *keys);
    if (!keys) {
        fprintf(stderr, "%s sort: no memory for %ld keys\n", sort_name, n);
        exit(1);
    }
    return keys;
}

/* ---- the program around a sort ---------------------------------------------------------------------- */

static unsigned key_at(long seed, long bits, long i) { return (unsigned)(scramble(seed, i) >> (64 - bits)); }

static int compare_keys(const void *a, const void *b) {
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

/* Processor 0: returns the number of the n sorted keys that differ from the result of qsort. */
static long count_wrong(long n, long seed, long bits, long m, unsigned keys[PROCS] ::[m], double *seconds) {
    unsigned *right = own_keys(n), *block = own_keys(m);
    long i, wrong = 0;
    for (i = 0; i < n; i++)
        right[i] = key_at(seed, bits, i);
    *seconds = get_seconds();
    qsort(right, n, sizeof *right, compare_keys);
    *seconds = get_seconds() - *seconds;
    for (i = 0; i < n; i++) {
        if (i % m == 0)
            bulk_read(block, keys[i / m], m * sizeof *block);
        wrong += block[i % m] != right[i];
    }
    free(right);
    free(block);
    return wrong;
}

int splitc_main(int argc, char **argv) {
    struct argument list[] = {
        {"keys", 20000, 1, 1L << 30}, {"seed", 1, 0, LONG_MAX}, {"bits", 32, 1, KEY_BITS}};
    long n, m, i, seed, bits, wrong = 0;
    double took, serial = 0;
    read_arguments(argc, argv, list, 3);
    n = list[0].value, seed = list[1].value, bits = list[2].value;
    m = block_length(n);
    unsigned(*spread keys)[m] = all_spread_malloc(PROCS, m * sizeof(unsigned));
    if (!keys)
        exit(1);
    unsigned *own = tolocal(keys[MYPROC]);
    for (i = 0; i < m; i++)
        own[i] = MYPROC * m + i < n ? key_at(seed, bits, MYPROC * m + i) : UINT_MAX;
    barrier();
    took = get_seconds();
    sort_blocks(m, keys);
    barrier();
    took = get_seconds() - took;
    on_one wrong = count_wrong(n, seed, bits, m, keys, &serial);
    wrong = all_bcast_l(wrong);
    on_one {
        printf("%s sort of %ld keys of %ld bits, seed %ld: ", sort_name, n, bits, seed);
        if (wrong)
            printf("%ld keys are in the wrong place\n", wrong);
        else
            printf("ok\n");
        printf("time %.6f s on %d processors, %.1f ns a key; qsort on one %.6f s\n", took, PROCS,
               took / n * 1e9, serial);
    }
    all_spread_free(keys);
    exit(wrong != 0);
}

#endif
