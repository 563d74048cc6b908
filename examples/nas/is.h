/* is: the sizes, the published ranks, and the keys. Serial C, included by is.upc and by the versions with
 * OpenMP and MPI of `meridian bench nas`. */
#ifndef NAS_IS_H
#define NAS_IS_H

#include "random.h"

#define SEED 314159265UL
#define ROUNDS 10
#define BUCKETS 1024
#define TESTS 5 /* keys whose ranks are published */

static const struct class {
    int log_keys, log_values;
    long tested[TESTS]; /* the keys */
    long rank[TESTS];   /* in round r the first `lower' have rank + r + up, the others rank - r - down */
    int lower, up, down;
} classes[] = {
    {16, 11, {48427, 17148, 23627, 62548, 4431}, {0, 18, 346, 64917, 65463}, 3, 0, 0},
    {20, 16, {357773, 934767, 875723, 898999, 404505}, {1249, 11698, 1039987, 1043896, 1048018}, 2, -2, 0},
    {23, 19, {2112377, 662041, 5336171, 3642833, 4250760}, {104, 17523, 123928, 8288932, 8388264}, 3, -1, -1},
};
static const struct class *class;
static long n;    /* keys */
static int shift; /* key >> shift is its bucket */

/* The n keys from the first'th on. */
static void draw_keys(int *key, long first, long many) {
    uint64_t random = skip_random(SEED, 4 * (uint64_t)first);
    for (long i = 0; i < many; i++) {
        double sum = next_random(&random);
        for (int j = 1; j < 4; j++)
            sum += next_random(&random);
        key[i] = (int)(sum / 4 * (1L << class->log_values));
    }
}

/* Returns the right rank of a tested key in a round. */
static long right_rank(int k, int round) {
    return class->rank[k] + (k < class->lower ? round + class->up : -round - class->down);
}

#endif
