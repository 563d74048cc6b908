/* The irregular loops, with their data and their results: for the versions in UPC and in C. LOOP is one of
 * gather, scatter, update, histogram, permute and sparse. All values are integers, so results are exact. */
#ifndef LOOPS_IRREGULAR_H
#define LOOPS_IRREGULAR_H

#include "loop.h"

#define PART 32768L           /* elements of a thread */
#define DEGREE 8L             /* elements of a row of the sparse matrix */
#define LINES (PART / DEGREE) /* rows of a thread, and columns */
#define PLACES 64L            /* of a column: about DEGREE are used, and never all */

enum {
    TIMES_gather = 20,
    TIMES_rows = 20,
    TIMES_scatter = 20,
    TIMES_update = 20,
    TIMES_histogram = 20,
    TIMES_permute = 10,
    TIMES_sparse = 10
};

static inline unsigned long mixed(unsigned long x) {
    x = (x + 1) * 0x9E3779B97F4A7C15UL;
    x = (x ^ x >> 31) * 0xBF58476D1CE4E5B9UL;
    return x ^ x >> 32;
}

/* A permutation of n numbers: one of the next power of two, repeated while its result is n or more. */
static inline long permuted(long i, long n) {
    unsigned long x = (unsigned long)i, mask = 1;
    int half = 0;
    for (; mask < (unsigned long)n; half++)
        mask *= 2;
    mask--;
    half = half / 2 + 1;
    do
        for (int turn = 0; turn < 3; turn++) {
            x = (x * 0x9E3779B97F4A7C15UL + 0x7F4A7C15UL) & mask;
            x ^= x >> half;
        }
    while (x >= (unsigned long)n);
    return (long)x;
}

/* The index of the element that element i reads or writes, among the elements of `threads' threads. Element i
 * belongs to thread i % threads. In the sparse matrix i / DEGREE is the row of element i and this its
 * column. */
static inline long place_gather(long i, long threads) { return (long)(mixed(i) % (PART * threads)); }
#define place_rows place_gather
#define place_scatter place_gather
#define place_histogram place_gather
static inline long place_permute(long i, long threads) { return permuted(i, PART * threads); }
static inline long place_sparse(long i, long threads) { return (long)(mixed(i) % (LINES * threads)); }
/* No two threads update the same place: place / threads % threads is the number of the thread that does. */
static inline long place_update(long i, long threads) {
    unsigned long random = mixed(i);
    long line = (long)(random % (PART / threads)), owner = (long)((random >> 40) % threads);
    return (line * threads + i % threads) * threads + owner;
}
#define PLACE_(loop) place_##loop
#define PLACE(loop) PLACE_(loop)

/* Returns the value of element i; values that are scattered to the same place are equal. */
static inline long value_of(long i) { return i * 7 % 1009; }

/* Returns the index of the first element of a thread's row l: two rows share 2 * DEGREE elements, of which
 * one has a random number and the other the rest. */
static inline long row_start(long l) {
    return l / 2 * 2 * DEGREE + (l % 2 ? (long)(mixed((unsigned long)l / 2) % (2 * DEGREE + 1)) : 0);
}

/* The contents of a column of the sparse matrix. */
struct column {
    long count, rows, values;
};
static inline void add_element(struct column *to, long row, long value) {
    to->count++;
    to->rows += row;
    to->values += value * (row + 1);
}
static inline bool same_column(struct column a, struct column b) {
    return a.count == b.count && a.rows == b.rows && a.values == b.values;
}

/* Sets the value expected for element i after `times' runs of the loop: `right' has the elements from `first'
 * on in steps of `step', all zero at first. */
enum { KIND_gather, KIND_rows, KIND_scatter, KIND_update, KIND_histogram, KIND_permute, KIND_sparse };
#define KIND_(loop) KIND_##loop
#define KIND(loop) KIND_(loop)
static inline void expect(int kind, long *right, long i, long to, long first, long step, long times) {
    long at = kind == KIND_gather ? i : to;
    if (at % step != first)
        return;
    long *element = &right[at / step];
    if (kind == KIND_update || kind == KIND_histogram)
        *element += times * (kind == KIND_update ? value_of(i) : 1);
    else
        *element = value_of(kind == KIND_permute ? i : to);
}

#endif
