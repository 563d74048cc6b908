/* The gray box in UPC: pointers-to-shared compared with private pointers, accesses, and copies of all sizes.
 *
 * After the figures 4, 5, 8 and 9 of the paper on UPC for the Cray X1.  Thread 0 works on the memory of the
 * last one.
 */
#include "../measure.h"

#include <upc_nb.h>

#define N 256 /* pointers in a table: it and their targets are in the first-level cache */
#define BLOCK 16
#define GROUP 64
#define SMALL_MOST 4096
#define BULK_MOST (8L << 20)

/* ---- pointers-to-shared: arithmetic and access (figures 8 and 9) --------------------------------------- */

static shared [BLOCK] long blocked[N * THREADS];
static shared long cyclic[N * THREADS];
static shared [] long *whole;
long private_words[N];

static volatile int distance = 3;

/* A kind of pointer: tables of them, and the operations on all of a table.  The tables are not static, so
 * that the C compiler has to write them each turn (MEASURE_FORGET).  They point to memory of this thread. */
#define KIND(name, type, elements)                                                                           \
    typedef type name##_pointer;                                                                             \
    name##_pointer name##_table[N], name##_other[N], name##_result[N];                                       \
    long name##_differences[N];                                                                              \
    static void name##_fill(void) {                                                                          \
        for (int i = 0; i < N; i++) {                                                                        \
            name##_table[i] = elements;                                                                      \
            name##_other[i] = name##_table[0];                                                               \
        }                                                                                                    \
    }                                                                                                        \
    static void name##_add(long turns) {                                                                     \
        while (turns--) {                                                                                    \
            int d = distance;                                                                                \
            for (int i = 0; i < N; i++)                                                                      \
                name##_result[i] = name##_table[i] + d;                                                      \
            MEASURE_FORGET();                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static void name##_subtract(long turns) {                                                                \
        while (turns--) {                                                                                    \
            for (int i = 0; i < N; i++)                                                                      \
                name##_differences[i] = name##_table[i] - name##_other[i];                                   \
            MEASURE_FORGET();                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static void name##_compare(long turns) {                                                                 \
        while (turns--) {                                                                                    \
            for (int i = 0; i < N; i++)                                                                      \
                name##_differences[i] = name##_table[i] == name##_other[i];                                  \
            MEASURE_FORGET();                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static void name##_read(long turns) {                                                                    \
        long sum = 0;                                                                                        \
        while (turns--) {                                                                                    \
            for (int i = 0; i < N; i++)                                                                      \
                sum += *name##_table[i];                                                                     \
            MEASURE_FORGET();                                                                                \
        }                                                                                                    \
        measure_sink = (double)sum;                                                                          \
    }                                                                                                        \
    static void name##_write(long turns) {                                                                   \
        while (turns--) {                                                                                    \
            for (int i = 0; i < N; i++)                                                                      \
                *name##_table[i] = i;                                                                        \
            MEASURE_FORGET();                                                                                \
        }                                                                                                    \
    }

KIND(plain, long *, &private_words[i])
KIND(indefinite, shared [] long *, &whole[i])
KIND(cyclic, shared long *, &cyclic[i * THREADS + MYTHREAD])
KIND(block, shared [BLOCK] long *, &blocked[(i / BLOCK * THREADS + MYTHREAD) * BLOCK + i % BLOCK])

#define ADD_KIND(name, label)                                                                                \
    name##_fill();                                                                                           \
    add_pointers(label, "add", name##_add);                                                                  \
    add_pointers(label, "subtract", name##_subtract);                                                        \
    add_pointers(label, "compare", name##_compare);                                                          \
    add_pointers(label, "read", name##_read);                                                                \
    add_pointers(label, "write", name##_write)

static void add_pointers(const char *series, const char *what, void (*run)(long)) {
    probe_at("pointers", (struct series){series, run}, NULL, 0, N)->what = what;
}

static void add_all_pointers(void) {
    ADD_KIND(plain, "private");
    ADD_KIND(indefinite, "indefinite");
    ADD_KIND(cyclic, "cyclic");
    ADD_KIND(block, "block-cyclic");
}

/* ---- copies (figures 4 and 5), and single accesses ----------------------------------------------------- */

static shared [] char *there;
static shared [] long *words;
static long local[BULK_MOST / sizeof(long)];

#define TURNS(name, ...)                                                                                     \
    PROBE_TURNS(name, size_t bytes = (size_t)probe_now->at[0]; (void)bytes, __VA_ARGS__)

TURNS(get, upc_memget(local, there, bytes))
TURNS(put, upc_memput(there, local, bytes); upc_fence)
TURNS(put_group, for (int i = 0; i < GROUP; i++) upc_memput(there + i * SMALL_MOST, local, bytes); upc_fence)
TURNS(copies, memcpy(local, private_words, bytes))
TURNS(read_word, local[0] = words[(turns + local[0]) % GROUP])
TURNS(write_word, words[turns % GROUP] = turns; upc_fence)
TURNS(write_group, for (int i = 0; i < GROUP; i++) words[i] = i; upc_fence)
TURNS(fence_alone, upc_fence)
TURNS(
    group_get,
    for (size_t i = 0; i < bytes; i++) { upc_memget_nbi(&local[i], &words[i], sizeof(long)); } upc_synci())
TURNS(
    group_put,
    for (size_t i = 0; i < bytes; i++) { upc_memput_nbi(&words[i], &local[i], sizeof(long)); } upc_synci())

/* Words in an unpredictable order, as in split-c.sc. */
static shared [] long *scattered[512];
TURNS(
    scattered_get,
    for (size_t i = 0; i < bytes; i++) { upc_memget_nbi(&local[i], scattered[i], sizeof(long)); } upc_synci())
TURNS(
    scattered_put,
    for (size_t i = 0; i < bytes; i++) { upc_memput_nbi(scattered[i], &local[i], sizeof(long)); } upc_synci())

/* The usual form in a program: a loop of plain reads, which the compiler requests in parts. */
#define LOOP_MOST 32768
static int read_order[LOOP_MOST];
TURNS(
    loop_reads, long sum = 0; for (size_t i = 0; i < bytes; i++) sum += words[read_order[i]];
    measure_sink = (double)sum)

/* Adds n transfers of a word, followed by the wait for all; n is in the place of `bytes'. Plain reads within
 * a host are loads, even if transfers that are waited for later go by active message. */
static void add_groups(void) {
    int by_message = getenv("MERIDIAN_REFERENCE") != NULL;
    static const struct series kinds[] = {{"get", group_get},
                                          {"put", group_put},
                                          {"get, scattered", scattered_get},
                                          {"put, scattered", scattered_put},
                                          {"read, in a loop", loop_reads}};
    unsigned long random = PROBE_RANDOM;
    for (long i = 0; i < 512; i++)
        scattered[i] = words + i * 389 % 4096;
    for (long i = 0; i < LOOP_MOST; i++)
        read_order[i] = (int)(probe_random(&random) % (BULK_MOST / sizeof(long)));
    for (long n = 1; n <= LOOP_MOST; n *= probe_quick ? 8 : 2)
        for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (kinds[k].run == loop_reads ? !by_message : n <= 512)
                probe_at("groups", kinds[k], "n", n, (double)n);
}

static void add_copies(const char *part, long most, int step) {
    for (long bytes = most > SMALL_MOST ? 8 : 1; bytes <= most; bytes <<= step) {
        probe_at(part, (struct series){"memget", get}, "bytes", bytes, 1);
        probe_at(part, (struct series){"memput", put}, "bytes", bytes, 1);
        if (most > SMALL_MOST)
            continue;
        probe_at(part, (struct series){"memput, 64 at a time", put_group}, "bytes", bytes, GROUP);
        if (bytes <= (long)sizeof private_words)
            probe_at(part, (struct series){"memcpy", copies}, "bytes", bytes, 1);
    }
}
static void add_small(void) { add_copies("small", SMALL_MOST, 1); }
static void add_bulk(void) { add_copies("bulk", BULK_MOST, probe_quick ? 2 : 1); }

static void add_primitives(void) {
    probe_primitive("read", "latency", 8, read_word, 1);
    probe_primitive("write", "latency", 8, write_word, 1);
    probe_primitive("write", "gap", 8, write_group, GROUP);
    probe_primitive("fence", "overhead", 0, fence_alone, 1);
}

/* ---- EM3D ---------------------------------------------------------------------------------------------- */

typedef shared [] double *em3d_global;
static em3d_global *em3d_parts; /* the beginning of each thread's memory */
static shared em3d_global em3d_shared_parts[THREADS];
static double *em3d_own;
static em3d_global em3d_global_at(int p, double *mine) { return em3d_parts[p] + (mine - em3d_own); }
static void *em3d_allocate(size_t bytes) {
    em3d_shared_parts[MYTHREAD] = (em3d_global)upc_alloc(bytes);
    upc_barrier;
    em3d_parts = malloc(THREADS * sizeof *em3d_parts);
    for (int t = 0; t < THREADS; t++)
        em3d_parts[t] = em3d_shared_parts[t];
    upc_barrier;
    em3d_own = (double *)em3d_parts[MYTHREAD];
    return em3d_own;
}
#define PROCS THREADS
#define MYPROC MYTHREAD
#define EM3D_GET(to, from) upc_memget_nbi(&(to), from, sizeof(double))
#define EM3D_PUT(to, from) upc_memput_nbi(to, &(from), sizeof(double))
#define EM3D_SYNC() upc_synci()
#define EM3D_BULK(to, from, bytes) upc_memput(to, from, bytes) /* the barrier after it is a fence */
#include "em3d.inc"

#include "exchange.inc"

#include "applications.inc"

static const struct part parts[] = {
    {"pointers", add_all_pointers},    {"small", add_small},   {"bulk", add_bulk},
    {"primitives", add_primitives},    {"groups", add_groups}, {"em3d", add_em3d},
    {"exchange", add_exchange},
    {"applications", add_applications}};

int main(int argc, char **argv) {
    shared char *blocks = upc_all_alloc(THREADS, BULK_MOST);
    there = (shared [] char *)(shared [BULK_MOST] char *)blocks;
    if (THREADS > 1)
        there = (shared [] char *)((shared [BULK_MOST] char *)blocks + (THREADS - 1) * BULK_MOST);
    words = (shared [] long *)there;
    whole = (shared [] long *)upc_alloc(N * sizeof(long));
    if (MYTHREAD == THREADS - 1)
        upc_memset(there, 0, BULK_MOST);
    upc_barrier;
    return PROBE_MAIN(argc, argv, parts);
}
