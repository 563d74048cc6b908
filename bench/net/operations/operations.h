/* What the programs of this bench have in common: sizes, places, clock, lines of output. */
#ifndef BENCH_NET_OPERATIONS_H
#define BENCH_NET_OPERATIONS_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WORDS (1 << 17)
#define MANY 20000
#define BULK (1 << 20)
/* Scattered: rows at twice their length from each other, and places of a list, in memory of GRID bytes. */
#define GRID (2 << 20)
#define ROWS 1024
#define ROW 64
#define LONG_ROWS 64
#define LONG_ROW (16 << 10)
#define LENGTH(array) (int)(sizeof(array) / sizeof *(array))

struct operation {
    const char *name;
    void (*run)(void);
    int operations; /* in one run */
};

/* Pseudo-random places in a table of WORDS. */
static inline unsigned next_place(void) {
    static unsigned long state = 88172645463325252UL;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state % WORDS);
}

/* Offset of piece i of a list of ROWS pieces of ROW bytes, in no order: 797 and 2^11 have no common factor.
 */
static inline unsigned place_of(unsigned i) { return i * 797 % (GRID / 1024) * 1024; }

static inline double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline double seconds_of(int argc, char **argv) {
    double milliseconds = argc > 1 ? atof(argv[1]) : 100;
    if (milliseconds <= 0) {
        fprintf(stderr, "usage: %s MILLISECONDS\n", argv[0]);
        exit(2);
    }
    return milliseconds * 1e-3;
}

static inline void report(const struct operation *o, double took, int count) {
    printf("%s %.1f\n", o->name, took * 1e9 / count / o->operations);
    fflush(stdout);
}

static inline double measure_count(const struct operation *o, int count) {
    double start = now();
    for (int i = 0; i < count; i++)
        o->run();
    return now() - start;
}

/* Once to warm up, then until the time is over. */
static inline void measure_alone(const struct operation *o, double seconds) {
    o->run();
    double start = now(), took;
    int count = 0;
    do {
        o->run();
        count++;
    } while ((took = now() - start) < seconds);
    report(o, took, count);
}

#endif
