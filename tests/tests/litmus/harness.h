/* Runs litmus programs and counts their outcomes. The generated program that includes this defines one body
 * for each: the steps of every thread on one instance of the locations. Many instances run between two
 * barriers, each thread with delays of its own, so that the threads meet in many alignments; each location of
 * each instance has a cache line of its own, and location l has affinity to thread l % THREADS. Thread 0
 * counts, and prints `litmus number: values: count` for each outcome. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define LOCATIONS 4
#define REGISTERS 6
#define INSTANCES 128
#define LINE 16 /* ints in a cache line */
#define BLOCK (INSTANCES * LINE)

shared[BLOCK] int cells[LOCATIONS][BLOCK * THREADS];
shared[INSTANCES * REGISTERS] int results[INSTANCES * REGISTERS * THREADS];
upc_lock_t *lock;

#define CELL(l, i) cells[l][((l) % THREADS) * BLOCK + (i)*LINE]
#define RELAXED(l) (*(relaxed shared int *)&CELL(l, i))
#define STRICT(l) (*(strict shared int *)&CELL(l, i))

/* A litmus program. body: this thread's steps on instance i, which leave their reads in r; source[k]: the
 * thread that reads value k of the outcome, or -1 - l if it is location l at the end. */
struct litmus {
    int number, threads, registers, batches, instances;
    signed char source[REGISTERS];
    void (*body)(int i, int *r);
};

static volatile unsigned sink;
static int longer = 1; /* the factor of delays */

/* Up to 63 steps, pseudo-random, most of the time few: the window of a race is a few dozen cycles. */
static void delay(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    unsigned steps = *state >> 30 ? *state >> 24 & 7 : *state >> 24 & 63;
    for (unsigned k = 0; k < steps * longer; k++)
        sink = k;
}

/* Called by all threads: resets the locations, runs every instance once, and leaves the values in results. */
static void batch(const struct litmus *t, unsigned *state) {
    for (int l = MYTHREAD; l < LOCATIONS; l += THREADS)
        for (int i = 0; i < t->instances; i++)
            CELL(l, i) = 0;
    upc_barrier;
    for (int i = 0; i < t->instances; i++) {
        int r[REGISTERS] = {0};
        delay(state);
        t->body(i, r);
        for (int k = 0; k < t->registers; k++)
            results[(MYTHREAD * INSTANCES + i) * REGISTERS + k] = r[k];
    }
    upc_barrier;
}

/* Called by thread 0 after a batch: counts the outcomes, two bits a value; values over 3 end the job. */
static void count(const struct litmus *t, long *counts) {
    for (int i = 0; i < t->instances; i++) {
        int code = 0;
        for (int k = 0; k < t->registers; k++) {
            int from = t->source[k];
            int value = from < 0 ? CELL(-1 - from, i) : results[(from * INSTANCES + i) * REGISTERS + k];
            if (value < 0 || value > 3) {
                printf("%d: value %d, which nobody writes\n", t->number, value);
                upc_global_exit(1);
            }
            code |= value << 2 * k;
        }
        counts[code]++;
    }
}

/* Called by all threads. */
static void run(const struct litmus *t) {
    static long counts[1 << 2 * REGISTERS];
    unsigned state = MYTHREAD * 2654435761u + t->number;
    for (int code = 0; code < 1 << 2 * REGISTERS; code++)
        counts[code] = 0;
    for (int b = 0; b < (longer > 1 ? 2 : t->batches); b++) {
        batch(t, &state);
        if (MYTHREAD == 0)
            count(t, counts);
        upc_barrier;
    }
    for (int code = 0; code < 1 << 2 * REGISTERS && MYTHREAD == 0; code++)
        if (counts[code]) {
            printf("%d:", t->number);
            for (int k = 0; k < t->registers; k++)
                printf(" %d", code >> 2 * k & 3);
            printf(": %ld\n", counts[code]);
        }
}

extern const struct litmus all_litmus[];
extern const int litmus_count;

/* Runs the programs for this number of threads. An argument means that they are on several hosts: a race
 * is then as wide as a message takes, and each batch takes longer. */
int main(int argc, char **argv) {
    (void)argv;
    longer = argc > 1 ? 1000 : 1;
    lock = upc_all_lock_alloc();
    for (int k = 0; k < litmus_count; k++)
        if (all_litmus[k].threads == THREADS)
            run(&all_litmus[k]);
    return 0;
}
