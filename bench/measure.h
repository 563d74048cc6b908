/* Measurement of a program by itself: points, each a mechanism at given sizes, round by round.
 *
 *     ./program PART[,PART...] ROUNDS NANOSECONDS full|quick loads|messages
 *
 * A point's number of turns is chosen once, so that a sample takes about the requested time. Then every round
 * takes one sample of each point, so that a disturbance of the machine affects neighbouring points alike, and
 * the ratio of two points of one round is meaningful. Processor 0 measures and prints one JSON line a sample.
 * The other processors run the same points. In most points of the probes they only wait in the barrier after
 * the point, and serve their memory from it.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(MEASURE_THREAD)
/* A program of another system: it defines MEASURE_THREAD, MEASURE_BARRIER and MEASURE_FIRST before the
 * include. */
#define MEASURE_THREADS 2
#elif defined(__UPC__)
#include <upc_relaxed.h>
#define MEASURE_THREAD MYTHREAD
#define MEASURE_THREADS THREADS
#define MEASURE_BARRIER() upc_barrier
#else
#include <split-c/split-c.h>
#define MEASURE_THREAD MYPROC
#define MEASURE_THREADS PROCS
#define MEASURE_BARRIER() barrier()
#endif

/* Takes the result of a kernel, so that the computation is not optimised away. */
static volatile double measure_sink;

/* Makes the C compiler forget the contents of memory here, so that it cannot reuse them later or in the next
 * turn. */
#define MEASURE_FORGET() __asm__ volatile("" ::: "memory")

static double measure_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Returns thread 0's value, on all threads. */
#if defined(MEASURE_FIRST)
static long measure_first(long value) { return MEASURE_FIRST(value); }
#elif defined(__UPC__)
static shared long measure_word;
static long measure_first(long value) {
    if (MYTHREAD == 0)
        measure_word = value;
    upc_barrier;
    long first = measure_word;
    upc_barrier;
    return first;
}
#else
static long measure_first(long value) { return all_bcast_l(value); }
#endif

#define MOST_POINTS 4096
#define MOST_PHASES 6

struct point {
    const char *part, *series;
    const char *what;    /* time, or for the primitives overhead, latency, gap */
    const char *axis[2]; /* the names of the values in `at', or null */
    long at[4];          /* those without a name are the program's own */
    void (*run)(long turns);
    /* Replaces the wall time of run: returns the nanoseconds that it has timed itself. */
    double (*timed)(long turns);
    const char *const *phases; /* names of the phases of `timed' (probe_phase), each a sample of its own */
    void (*prepare)(void);     /* before each sample, untimed */
    double operations;         /* in a turn */
    long turns;                /* 0 until they are calibrated */
};

static struct point probe_points[MOST_POINTS];
static int probe_many;
static struct point *probe_now; /* the point that runs */
static double probe_phases[MOST_PHASES];
static double probe_phase_began;
static double probe_longer = 1; /* factor of the requested time of a sample */
static int probe_quick;         /* few points */
static int probe_messages;      /* remote memory is reached by messages, not by loads and stores */

/* Adds a point; more than MOST_POINTS are an error of the program. */
static struct point *probe_add(struct point point) {
    if (probe_many == MOST_POINTS)
        abort();
    if (!point.what)
        point.what = "time";
    if (point.operations == 0)
        point.operations = 1;
    probe_points[probe_many] = point;
    return &probe_points[probe_many++];
}

/* A series, and the function that does its turns. */
struct series {
    const char *name;
    void (*run)(long turns);
};

/* Adds a point over one axis, or over none. */
static inline struct point *probe_at(const char *part, struct series series, const char *axis, long at,
                                     double operations) {
    return probe_add((struct point){.part = part,
                                    .series = series.name,
                                    .axis = {axis},
                                    .at = {at},
                                    .run = series.run,
                                    .operations = operations});
}

/* Adds a primitive of so many bytes. */
static inline struct point *probe_primitive(const char *series, const char *what, long bytes,
                                            void (*run)(long turns), double operations) {
    struct point *point = probe_at("primitives", (struct series){series, run}, "bytes", bytes, operations);
    point->what = what;
    return point;
}

/* The phases of a turn follow one another: the first begins here, and each ends with the call that names
 * it. */
static inline void probe_begin(void) { probe_phase_began = measure_clock(); }
static inline void probe_phase(int phase) {
    double now = measure_clock();
    probe_phases[phase] += now - probe_phase_began;
    probe_phase_began = now;
}

/* If processors share cores, a processor that has waited long while others prepared sleeps in its next waits
 * instead of yielding (runtime/base/wait.c). This holds for hundreds of waits, and each takes twice as long
 * as in a program that has run for a while. So wait until that is over. */
#define PROBE_SETTLE_WAITS 1024
#define PROBE_SETTLE_NS 10e6
static void probe_settle(void) {
    double start = measure_clock();
    for (int waits = 0; waits < PROBE_SETTLE_WAITS; waits += 64) {
        for (int i = 0; i < 64; i++)
            MEASURE_BARRIER();
        if (!measure_first(measure_clock() - start < PROBE_SETTLE_NS))
            return;
    }
}

/* Returns the nanoseconds of processor 0 for the turns; *wall: including the time that is not measured. */
static double probe_sample(struct point *p, long turns, double *wall) {
    probe_now = p;
    if (p->prepare)
        p->prepare();
    if (p->prepare && p->turns && MEASURE_THREADS > sysconf(_SC_NPROCESSORS_ONLN))
        probe_settle();
    if (p->run)
        p->run(1);
    else
        p->timed(1);
    memset(probe_phases, 0, sizeof probe_phases);
    MEASURE_BARRIER();
    double start = measure_clock(), took = 0;
    if (p->run)
        p->run(turns);
    else
        took = p->timed(turns);
    *wall = measure_clock() - start;
    MEASURE_BARRIER();
    return p->run ? *wall : took;
}

/* Sets the same number of turns on all processors: doubled until they fill a quarter of the time twice in
 * succession, so that a pause of the machine is not mistaken for it. */
static void probe_calibrate(struct point *p, double wanted) {
    long turns = 1;
    for (;;) {
        double wall, again = 0;
        probe_sample(p, turns, &wall);
        if (measure_first(wall >= wanted / 4)) {
            probe_sample(p, turns, &again);
            wall = again < wall ? again : wall;
        }
        long next = measure_first(wall >= wanted / 4 ? -(long)((double)turns * (wanted / wall)) - 1
                                                     : 2 * turns);
        if (next < 0) {
            p->turns = -next;
            return;
        }
        turns = next;
    }
}

static void probe_print_sample(const struct point *p, const char *what, int round, double took) {
    printf("{\"part\":\"%s\",\"series\":\"%s\",\"what\":\"%s\"", p->part, p->series, what);
    for (int i = 0; i < 2 && p->axis[i]; i++)
        printf(",\"%s\":%ld", p->axis[i], p->at[i]);
    printf(",\"round\":%d,\"ns\":%.4f}\n", round, took / ((double)p->turns * p->operations));
}

static void probe_print(const struct point *p, int round, double took) {
    probe_print_sample(p, p->what, round, took);
    for (int i = 0; p->phases && p->phases[i]; i++)
        probe_print_sample(p, p->phases[i], round, probe_phases[i]);
}

/* A part: its name, and the function that adds its points. */
struct part {
    const char *name;
    void (*add)(void);
};

static int probe_named(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == 0))
            return 1;
    return 0;
}

static int probe_main(int argc, char **argv, const struct part *parts, int many) {
    if (argc != 6) {
        fprintf(stderr, "usage: %s PART[,PART...] ROUNDS NANOSECONDS full|quick loads|messages\n", argv[0]);
        return 2;
    }
    int rounds = atoi(argv[2]);
    double wanted = atof(argv[3]), wall;
    probe_quick = strcmp(argv[4], "quick") == 0;
    probe_messages = strcmp(argv[5], "messages") == 0;
    for (int i = 0; i < many; i++)
        if (probe_named(argv[1], parts[i].name))
            parts[i].add();
    for (int i = 0; i < probe_many; i++)
        probe_calibrate(&probe_points[i], wanted * probe_longer);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < probe_many; i++) {
            double took = probe_sample(&probe_points[i], probe_points[i].turns, &wall);
            if (MEASURE_THREAD == 0)
                probe_print(&probe_points[i], round, took);
        }
        fflush(stdout);
    }
    MEASURE_BARRIER();
    return 0;
}

#define PROBE_MAIN(argc, argv, parts) probe_main(argc, argv, parts, (int)(sizeof(parts) / sizeof(parts)[0]))

/* Defines a function that executes `begin' and then, if `works', does something in each turn. */
#define MEASURE_LOOP(name, begin, works, ...)                                                                \
    static void name(long turns) {                                                                           \
        begin;                                                                                               \
        while (works && turns--) {                                                                           \
            __VA_ARGS__;                                                                                     \
            MEASURE_FORGET();                                                                                \
        }                                                                                                    \
    }
#define MEASURE_TURNS(name, ...) MEASURE_LOOP(name, (void)0, 1, __VA_ARGS__)
/* On processor 0 alone. */
#define PROBE_TURNS(name, begin, ...) MEASURE_LOOP(name, begin, PROBE_WORKS, __VA_ARGS__)

/* Makes a function a point of the part plain-c; it does `ops' operations a turn, as one thread counts them.
 * KERNEL defines the function, too. */
#define KERNEL_OF(name, function, ops)                                                                       \
    __attribute__((constructor)) static void add_##function(void) {                                          \
        probe_at("plain-c", (struct series){name, function}, NULL, 0, ops);                                  \
    }
#define KERNEL(name, ops, ...) MEASURE_TURNS(name, __VA_ARGS__) KERNEL_OF(#name, name, ops)

/* Measures the kernels of the program. Returns the exit code. */
#define MEASURE_MAIN(argc, argv) probe_main(argc, argv, NULL, 0)

/* Random numbers, the same in each run (Marsaglia's xorshift): the initial state, and the next number. */
#define PROBE_RANDOM 88172645463325252UL
static inline unsigned long probe_random(unsigned long *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* Whether this processor works on the other one's memory, while the other waits. */
#define PROBE_WORKS (MEASURE_THREAD == 0)

#endif
