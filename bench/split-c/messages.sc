/* Split-C with all accesses by message (MERIDIAN_REFERENCE=1): the language and the library compared with the
 * active messages that they consist of, as in von Eicken's table 6-1. Processor 0 works; the other one waits
 * at a barrier, and answers from there.
 */
#include "../measure.h"

#include "../c/messages.h"
#include <split-c/counter.h>

#define N 64
#define BULK 4096

static long target[BULK / 8], local[BULK / 8];
static long *global there;
static long *raw;

/* Returns the address in this process of any processor's memory (c/view.c). */
void *bench_view(void *global);

#define TURNS(name, ops, ...)                                                                                \
    static void name(long turns) {                                                                           \
        long *global p = there;                                                                              \
        (void)p;                                                                                             \
        while (MYPROC == 0 && turns--) {                                                                     \
            __VA_ARGS__;                                                                                     \
        }                                                                                                    \
    }                                                                                                        \
    KERNEL_OF(#name, name, ops)
#define EACH(name, ...) TURNS(name, N, for (long i = 0; i < N; i++) { __VA_ARGS__; } sync())

EACH(read_word, local[i] = p[i])
EACH(read_library, bulk_read(&local[i], &p[i], sizeof(long)))
TURNS(read_message, N, raw_read(1, local, raw, N))
EACH(write_word, p[i] = local[i])
EACH(write_library, bulk_write(&p[i], &local[i], sizeof(long)))
TURNS(write_message, N, raw_write(1, raw, local, N))
EACH(get_word, local[i] := p[i])
EACH(get_library, bulk_get(&local[i], &p[i], sizeof(long)))
TURNS(get_message, N, raw_get(1, local, raw, N))
EACH(put_word, p[i] := local[i])
EACH(put_library, bulk_put(&p[i], &local[i], sizeof(long)))
TURNS(put_message, N, raw_put(1, raw, local, N))
EACH(store_word, p[i] :- local[i])
EACH(store_library, bulk_store(&p[i], &local[i], sizeof(long)))
TURNS(store_message, N, raw_store(1, raw, local, N))
TURNS(bulk_get_4k, 1, bulk_get(local, p, BULK); sync())
TURNS(bulk_get_message, 1, raw_get_block(1, local, raw, BULK))
TURNS(bulk_put_4k, 1, bulk_put(p, local, BULK); sync())
TURNS(bulk_put_message, 1, raw_put_block(1, raw, local, BULK))
TURNS(bulk_store_4k, 1, bulk_store(p, local, BULK))
TURNS(bulk_store_message, 1, raw_store_block(1, raw, local, BULK))

int splitc_main(int argc, char **argv) {
    raw_start();
    there = toglobal((MYPROC + 1) % PROCS, target);
    raw = bench_view(there);
    barrier();
    return MEASURE_MAIN(argc, argv);
}
