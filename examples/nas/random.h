/* The benchmarks' random numbers, for programs in UPC and in C. */
#ifndef NAS_RANDOM_H
#define NAS_RANDOM_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- random numbers (section 2.3 of the report) -------------------------------------------------------- */

#define RANDOM_A 1220703125UL /* 5^13 */
#define RANDOM_MASK ((1UL << 46) - 1)

/* Steps the state x to a x mod 2^46, which gives a number in (0, 1).  Products in 64 bits keep their lower
 * 46, so no more is needed. */
static inline double next_random(uint64_t *x) {
    *x = *x * RANDOM_A & RANDOM_MASK;
    return (double)*x * 0x1p-46;
}

/* The state n steps after x, in log n multiplications: a thread begins anywhere in the sequence. */
static inline uint64_t skip_random(uint64_t x, uint64_t n) {
    for (uint64_t power = RANDOM_A; n; n >>= 1, power = power * power & RANDOM_MASK)
        if (n & 1)
            x = x * power & RANDOM_MASK;
    return x;
}

#endif
