/* The gray box in Split-C: the memory of one processor, the memory of another, groups of split-phase
 * accesses, bulk transfers, and each primitive's overhead, latency and gap, compared with the active messages
 * that it consists of.
 *
 * After Krishnamurthy, Culler, Yelick: "Empirical Evaluation of Global Memory Support on the CRAY-T3D and
 * CRAY-T3E", figures 2 to 9, and von Eicken's table 6-1.  Processor 0 works on the memory of the last one.
 */
#include "../measure.h"

#include "../c/messages.h"

#define LEAST (4L << 10)
#define MOST (64L << 20)
#define BULK_MOST (8L << 20)
#define ACCESSES 256 /* in a turn of a walk */
#define LINE 64
#define GROUP 64
#define MOST_GROUP 480

/* Zeros: a walk adds each word it reads to its index, so that each read waits for the one before. */
static long *zeros;
static long *chain; /* indices: the next line of a random cycle */
static long *global there;
static long position; /* of the walk */
static long local[BULK_MOST / sizeof(long)];
static int local_ints[GROUP];
static int *global there_ints;
static long *raw;

void *bench_view(void *global); /* c/view.c */

/* ---- walks: stride and size (figures 2 to 5) ----------------------------------------------------------- */

#define WALK(name, array, ...)                                                                               \
    static void name(long turns) {                                                                           \
        if (!PROBE_WORKS)                                                                                    \
            return;                                                                                          \
        array;                                                                                               \
        long i = position, step = probe_now->at[1] / (long)sizeof(long);                                     \
        long mask = probe_now->at[0] / (long)sizeof(long) - 1;                                               \
        for (long n = turns * ACCESSES; n > 0; n--) {                                                        \
            __VA_ARGS__;                                                                                     \
        }                                                                                                    \
        position = i & mask;                                                                                 \
        measure_sink = (double)i;                                                                            \
        MEASURE_FORGET();                                                                                    \
    }

WALK(local_read, const long *p = zeros, i = (i + step + p[i]) & mask)
WALK(local_write, long *p = zeros, i = (i + step) & mask; p[i] = 0; MEASURE_FORGET())
WALK(remote_read, long *global p = there, i = (i + step + p[i]) & mask)
WALK(remote_write, long *global p = there, i = (i + step) & mask; p[i] = 0)
WALK(chase, const long *p = chain, i = p[i]; (void)step; (void)mask)

/* Brings the memory of a walk into the caches, within a few milliseconds. */
static void warm_walk(void) {
    position = 0;
    long turns = probe_now->at[0] / probe_now->at[1] / ACCESSES + 1;
    double until = measure_clock() + 20e6;
    while (PROBE_WORKS && turns-- > 0 && measure_clock() < until)
        probe_now->run(1);
}

/* A random cycle through the lines of the first at[0] bytes (Sattolo's shuffle). */
static void make_chain(void) {
    static long made;
    long lines = probe_now->at[0] / LINE, per_line = LINE / (long)sizeof(long);
    if (PROBE_WORKS && made != lines) {
        unsigned long random = PROBE_RANDOM;
        for (long i = 0; i < lines; i++)
            chain[i * per_line] = i * per_line;
        for (long i = lines - 1; i > 0; i--) {
            long j = (long)(probe_random(&random) % (unsigned long)i), swap = chain[i * per_line];
            chain[i * per_line] = chain[j * per_line];
            chain[j * per_line] = swap;
        }
        made = lines;
    }
    warm_walk();
}

static void add_walks(const char *part, const char *series, void (*run)(long), long most, int size_step,
                      int stride_step) {
    for (long size = LEAST; size <= most; size <<= size_step)
        for (long stride = sizeof(long); stride <= size / 2; stride <<= stride_step)
            probe_add((struct point){.part = part, .series = series, .axis = {"size", "stride"},
                                     .at = {size, stride}, .run = run, .prepare = warm_walk,
                                     .operations = ACCESSES});
}

static void add_memory(void) {
    int step = probe_quick ? 2 : 1;
    add_walks("memory", "read", local_read, MOST, step, step);
    add_walks("memory", "write", local_write, MOST, step, step);
    for (long size = LEAST; size <= MOST; size <<= 1)
        probe_add((struct point){.part = "memory", .series = "chase", .axis = {"size", "stride"},
                                 .at = {size, LINE}, .run = chase, .prepare = make_chain, .operations = ACCESSES});
}

/* Adds the points of remote memory. By message the cost hardly depends on the place in memory, so a coarse
 * grid is enough. */
static void add_remote(void) {
    long most = probe_messages ? 1L << 20 : MOST;
    int step = probe_quick ? 2 : 1;
    int size_step = probe_messages ? 4 : step, stride_step = probe_messages ? 3 : step;
    add_walks("remote", "read", remote_read, most, size_step, stride_step);
    add_walks("remote", "write", remote_write, most, size_step, stride_step);
}

/* ---- groups: n accesses, then sync (figures 6 and 7) --------------------------------------------------- */

#define TURNS(name, ...)                                                                                     \
    PROBE_TURNS(name, long *global p = there; long n = probe_now->at[0]; (void)p; (void)n, __VA_ARGS__)

TURNS(group_get, for (long i = 0; i < n; i++) local[i] := p[i]; sync())
TURNS(group_put, for (long i = 0; i < n; i++) p[i] := local[i]; sync())

/* Words in an unpredictable order, so that none travel together because they are neighbours. */
static long *global scattered[MOST_GROUP];
TURNS(scattered_get, for (long i = 0; i < n; i++) local[i] := *scattered[i]; sync())
TURNS(scattered_put, for (long i = 0; i < n; i++) *scattered[i] := local[i]; sync())

static void add_groups(void) {
    static const long numbers[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, MOST_GROUP};
    static const struct series kinds[] = {{"get", group_get},
                                          {"put", group_put},
                                          {"get, scattered", scattered_get},
                                          {"put, scattered", scattered_put}};
    for (long i = 0; i < MOST_GROUP; i++)
        scattered[i] = there + i * 389 % 4096;
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
            probe_at("groups", kinds[k], "n", numbers[i], (double)numbers[i]);
}

/* ---- bulk transfers (figures 8 and 9) ------------------------------------------------------------------ */

TURNS(bulk_reads, bulk_read(local, p, (size_t)n))
TURNS(bulk_writes, bulk_write(p, local, (size_t)n))
TURNS(bulk_gets, bulk_get(local, p, (size_t)n); sync())
TURNS(bulk_puts, bulk_put(p, local, (size_t)n); sync())
TURNS(bulk_stores, bulk_store(p, local, (size_t)n))
TURNS(copies, memcpy(local, zeros, (size_t)n))

static void add_bulk(void) {
    static const struct series kinds[] = {{"read", bulk_reads}, {"write", bulk_writes}, {"get", bulk_gets},
                                          {"put", bulk_puts},   {"store", bulk_stores}, {"memcpy", copies}};
    for (long bytes = 8; bytes <= BULK_MOST; bytes <<= probe_quick ? 2 : 1)
        for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
            probe_at("bulk", kinds[i], "bytes", bytes, 1);
}

/* ---- primitives (table 6-1) ---------------------------------------------------------------------------- */

#define LATENCY(name, ...) TURNS(name, { long i = turns % GROUP; (void)i; __VA_ARGS__; sync(); })
#define GAP(name, ...) TURNS(name, for (long i = 0; i < GROUP; i++) { __VA_ARGS__; } sync())
#define OVERHEAD(name, ...)                                                                                  \
    static double name(long turns) {                                                                         \
        long *global p = there;                                                                              \
        double took = 0;                                                                                     \
        while (PROBE_WORKS && turns--) {                                                                     \
            double start = measure_clock();                                                                  \
            for (long i = 0; i < GROUP / 4; i++) {                                                           \
                __VA_ARGS__;                                                                                 \
            }                                                                                                \
            took += measure_clock() - start;                                                                 \
            sync();                                                                                          \
            MEASURE_FORGET();                                                                                \
        }                                                                                                    \
        (void)p;                                                                                             \
        return took;                                                                                         \
    }
#define PRIMITIVE(name, ...) LATENCY(name##_latency, __VA_ARGS__) GAP(name##_gap, __VA_ARGS__)
#define STORE(name, ...) GAP(name##_gap, __VA_ARGS__) OVERHEAD(name##_overhead, __VA_ARGS__)
#define SPLIT_PHASE(name, ...) LATENCY(name##_latency, __VA_ARGS__) STORE(name, __VA_ARGS__)

#define BULK 4096
/* Read by a dependent index, so that each waits for the one before. */
PRIMITIVE(read_8, local[0] = p[(i + local[0]) % GROUP])
PRIMITIVE(read_4, local_ints[0] = there_ints[(i + local_ints[0]) % GROUP])
PRIMITIVE(write_8, p[i] = local[i])
PRIMITIVE(write_4, there_ints[i] = local_ints[i])
SPLIT_PHASE(get_8, local[i] := p[i])
SPLIT_PHASE(get_4, local_ints[i] := there_ints[i])
SPLIT_PHASE(put_8, p[i] := local[i])
SPLIT_PHASE(put_4, there_ints[i] := local_ints[i])
STORE(store_8, p[i] :- local[i])
STORE(store_4, there_ints[i] :- local_ints[i])
PRIMITIVE(read_bulk, bulk_read(&local[BULK / 8 * i], &p[BULK / 8 * i], BULK))
PRIMITIVE(write_bulk, bulk_write(&p[BULK / 8 * i], &local[BULK / 8 * i], BULK))
SPLIT_PHASE(get_bulk, bulk_get(&local[BULK / 8 * i], &p[BULK / 8 * i], BULK))
SPLIT_PHASE(put_bulk, bulk_put(&p[BULK / 8 * i], &local[BULK / 8 * i], BULK))
STORE(store_bulk, bulk_store(&p[BULK / 8 * i], &local[BULK / 8 * i], BULK))
TURNS(sync_alone, for (long i = 0; i < GROUP; i++) sync())
TURNS(message_latency, raw_get(PROCS - 1, local, raw, 1))
TURNS(message_put_latency, raw_put(PROCS - 1, raw, local, 1))
TURNS(message_get_gap, raw_get(PROCS - 1, local, raw, GROUP))
TURNS(message_put_gap, raw_put(PROCS - 1, raw, local, GROUP))
TURNS(message_store_gap, raw_store(PROCS - 1, raw, local, GROUP))
TURNS(message_block_get, raw_get_block(PROCS - 1, local, raw, BULK))
TURNS(message_block_put, raw_put_block(PROCS - 1, raw, local, BULK))

static void barriers(long turns) {
    while (turns--)
        barrier();
}

/* Returns processor time of this process, which other programs do not lengthen. With more threads than cores
 * it measures the turn of a thread, including the switches from and to the others. */
static double processor_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}
static double barrier_turns(long turns) {
    double start = processor_ns();
    barriers(turns);
    return processor_ns() - start;
}

/* Measures the agreement of all processors alone: nothing was stored. */
static void store_syncs(long turns) {
    while (turns--)
        all_store_sync();
}

/* Measures one way: a store to the other processor, which answers with one; half of the round trip. Before it
 * the counts of stores are zero (all_store_sync). */
static void store_trips(long turns) {
    int last = PROCS - 1;
    if (MYPROC != 0 && MYPROC != last)
        return;
    long *global other = toglobal(MYPROC == 0 ? last : 0, &local[BULK_MOST / 8 - 1]);
    while (last > 0 && turns--) {
        if (MYPROC == 0)
            *other :- turns;
        store_sync(sizeof(long));
        if (MYPROC == last)
            *other :- turns;
    }
}

static void add_overhead(const char *series, long bytes, double (*timed)(long turns)) {
    probe_add((struct point){.part = "primitives", .series = series, .what = "overhead", .axis = {"bytes"},
                             .at = {bytes}, .timed = timed, .operations = GROUP / 4});
}

#define ADD_GAP(series, bytes, name) probe_primitive(series, "gap", bytes, name##_gap, GROUP)
#define ADD_BLOCKING(series, bytes, name)                                                                    \
    probe_primitive(series, "latency", bytes, name##_latency, 1);                                            \
    ADD_GAP(series, bytes, name)
#define ADD_SPLIT(series, bytes, name)                                                                       \
    ADD_BLOCKING(series, bytes, name);                                                                       \
    add_overhead(series, bytes, name##_overhead)
#define ADD_STORE(bytes, name)                                                                               \
    ADD_GAP("store", bytes, name);                                                                           \
    add_overhead("store", bytes, name##_overhead)

static void add_primitives(void) {
    ADD_BLOCKING("read", 4, read_4);
    ADD_BLOCKING("read", 8, read_8);
    ADD_BLOCKING("read", BULK, read_bulk);
    ADD_BLOCKING("write", 4, write_4);
    ADD_BLOCKING("write", 8, write_8);
    ADD_BLOCKING("write", BULK, write_bulk);
    ADD_SPLIT("get", 4, get_4);
    ADD_SPLIT("get", 8, get_8);
    ADD_SPLIT("get", BULK, get_bulk);
    ADD_SPLIT("put", 4, put_4);
    ADD_SPLIT("put", 8, put_8);
    ADD_SPLIT("put", BULK, put_bulk);
    /* Nothing waits for a store, so its latency is that of store_trips. */
    ADD_STORE(4, store_4);
    ADD_STORE(8, store_8);
    ADD_STORE(BULK, store_bulk);
    probe_primitive("store", "latency", 8, store_trips, 2)->prepare = all_store_sync;
    probe_primitive("sync", "overhead", 0, sync_alone, GROUP);
    probe_primitive("store sync", "latency", 0, store_syncs, 1);
    probe_primitive("barrier", "latency", 0, barriers, 1);
    probe_add((struct point){.part = "primitives", .series = "barrier", .what = "turn", .axis = {"bytes"},
                             .at = {0}, .timed = barrier_turns});
    probe_primitive("message get", "latency", 8, message_latency, 1);
    probe_primitive("message get", "gap", 8, message_get_gap, GROUP);
    probe_primitive("message put", "latency", 8, message_put_latency, 1);
    probe_primitive("message put", "gap", 8, message_put_gap, GROUP);
    probe_primitive("message store", "gap", 8, message_store_gap, GROUP);
    probe_primitive("message get", "latency", BULK, message_block_get, 1);
    probe_primitive("message put", "latency", BULK, message_block_put, 1);
}

/* ---- EM3D ---------------------------------------------------------------------------------------------- */

#include "split-c.inc"
#include "em3d.inc"

/* ---- exchanges ----------------------------------------------------------------------------------------- */

#include "exchange.inc"

static const struct part parts[] = {{"memory", add_memory},
                                    {"remote", add_remote},
                                    {"groups", add_groups},
                                    {"bulk", add_bulk},
                                    {"primitives", add_primitives},
                                    {"em3d", add_em3d},
                                    {"exchange", add_exchange}};

int splitc_main(int argc, char **argv) {
    char *spread blocks = (char *spread) all_spread_malloc((size_t)PROCS, MOST);
    zeros = (long *)tolocal(blocks + MYPROC);
    there = (long *global)toglobal(PROCS - 1, tolocal(blocks + (PROCS - 1)));
    memset(zeros, 0, MOST);
    chain = malloc(MOST);
    there_ints = (int *global)there;
    raw = bench_view(there);
    raw_start();
    barrier();
    return PROBE_MAIN(argc, argv, parts);
}
