/* The cost of Split-C's accesses against plain ones on the same memory, in nanoseconds; not a test.
 * `meridian run -n 2 measure_split_c'; with MERIDIAN_REFERENCE=1 by message.  The best of many short rounds.
 */
#include <split-c/split-c.h>

#include <stdio.h>
#include <stdlib.h>

#define N 4096
#define ROUNDS 200

static long target[N], local[N];
static unsigned place[N];

/* code runs for i = 0 ... turns - 1. */
#define TIME(name, turns, code)                                                                              \
    do {                                                                                                     \
        double best = 1e30;                                                                                  \
        for (int round = 0; round < ROUNDS; round++) {                                                       \
            barrier();                                                                                       \
            double start = get_seconds();                                                                    \
            for (int i = 0; i < (turns); i++) {                                                              \
                code;                                                                                        \
            }                                                                                                \
            double each = (get_seconds() - start) / (turns);                                                 \
            all_store_sync();                                                                                \
            best = each < best ? each : best;                                                                \
        }                                                                                                    \
        if (MYPROC == 0)                                                                                     \
            printf("%-44s %8.2f\n", name, best * 1e9);                                                       \
    } while (0)

int splitc_main(int argc, char **argv);

int splitc_main(int argc, char **argv) {
    (void)argv;
    int turns = argc > 1 ? atoi(argv[1]) : N;
    mer_ptr there = toglobal((MYPROC + 1) % PROCS, target);
    long *plain = mer_at(there.bits);
    for (int i = 0; i < N; i++)
        place[i] = (unsigned)rand() % N;
    if (turns > N || turns < 1)
        return 1;
    TIME("plain store to a neighbour's memory", turns, *(volatile long *)&plain[i] = i);
    TIME("write", turns, MER_GLOBAL_PUT(long, mer_add_i(there, i, sizeof(long)).bits, i));
    TIME("put", turns, MER_SPLIT_PUT(long, mer_add_i(there, i, sizeof(long)).bits, i));
    TIME("store", turns, MER_STORE(long, mer_add_i(there, i, sizeof(long)).bits, i));
    TIME("plain load", turns, local[i] = *(volatile long *)&plain[i]);
    TIME("read", turns, local[i] = MER_GLOBAL_GET(long, mer_add_i(there, i, sizeof(long)).bits));
    TIME("get", turns, MER_SPLIT_GET(long, &local[i], mer_add_i(there, i, sizeof(long)).bits));
    TIME("plain scatter", turns, *(volatile long *)&plain[place[i]] = i);
    TIME("stores, scattered", turns, MER_STORE(long, mer_add_i(there, place[i], sizeof(long)).bits, i));
    TIME("sync, nothing outstanding", turns, sync());
    TIME("fetch_and_add", turns, fetch_and_add(there, 1));
    TIME("bulk_get, 8 bytes", turns, bulk_get(local, there, 8));
    TIME("memmove, 4 KB", turns / 8 + 1, __builtin_memmove(local, plain, 4096);
         __asm__ volatile("" ::
                              : "memory"));
    TIME("bulk_read, 4 KB", turns / 8 + 1, bulk_read(local, there, 4096));
    TIME("all_reduce_to_all_add", turns / 16 + 1, all_reduce_to_all_add(i));
    TIME("malloc, free, 100 bytes", turns, free(*(void *volatile *)&(void *){malloc(100)}));
    return 0;
}
