/* ep: the sizes, the published values, and the tally of a batch of pairs. Serial C, included by ep.upc
 * and by the versions with OpenMP and MPI of `meridian bench nas`. */
#ifndef NAS_EP_H
#define NAS_EP_H

#include "random.h"

#define SEED 271828183UL
#define BATCH (1L << 14) /* pairs */
#define RINGS 10

static const struct {
    int log_pairs;
    double sum_x, sum_y;
} classes[] = {
    {24, -3.247834652034740e3, -6.958407078382297e3},
    {25, -2.863319731645753e3, -6.320053679109499e3},
    {28, -4.295875165629892e3, -1.580732573678431e4},
};

struct tally {
    unsigned long rings[RINGS];
    double x, y;
};

/* Adds the pairs from the first'th on to the tally, by Marsaglia's polar method. */
static void count(long first, struct tally *tally) {
    uint64_t random = skip_random(SEED, 2 * (uint64_t)first);
    double sum_x = 0, sum_y = 0;
    for (long i = 0; i < BATCH; i++) {
        double u = 2 * next_random(&random) - 1;
        double v = 2 * next_random(&random) - 1;
        double square = u * u + v * v;
        if (square > 1)
            continue;
        double factor = sqrt(-2 * log(square) / square);
        double x = u * factor, y = v * factor;
        double most = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
        tally->rings[(int)most]++;
        sum_x += x;
        sum_y += y;
    }
    tally->x += sum_x;
    tally->y += sum_y;
}

#endif
