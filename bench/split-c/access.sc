/* Split-C's accesses to a neighbour's memory: the language, the library, and the plain accesses that are the
 * mechanism on one host.  The rows are those of von Eicken's table 6-1.
 *
 * Each processor works on memory of the next one that no other processor touches, at random places that the
 * second-level cache holds, so that no loop becomes a copy or a vector operation.
 */
#include "../measure.h"

#include "../c/plain.h"

#define N 2048
#define BULK 4096

static long target[N + BULK / 8], local[N + BULK / 8];
static int order[N];
static long *global there;
static long *raw;

/* Returns the address in this process of any processor's memory (c/view.c). */
void *bench_view(void *global);

#define TURNS(name, ops, ...)                                                                                \
    MEASURE_LOOP(name, long *global p = there; (void)p, 1, __VA_ARGS__)                                      \
    KERNEL_OF(#name, name, ops)
#define EACH(name, ...) TURNS(name, N, for (long i = 0; i < N; i++) { __VA_ARGS__; } sync())

EACH(read_word, local[i] = p[order[i]])
EACH(get_word, local[i] := p[order[i]])
TURNS(load_word, N, plain_fetch_long(local, raw, order, N))
EACH(get_word_library, bulk_get(&local[i], &p[order[i]], sizeof(long)))

EACH(write_word, p[order[i]] = local[i])
EACH(put_word, p[order[i]] := local[i])
EACH(store_signal, p[order[i]] :- local[i])
TURNS(store_word, N, plain_scatter_long(raw, order, local, N))
EACH(put_word_library, bulk_put(&p[order[i]], &local[i], sizeof(long)))

#define MOVES 16
#define MOVE(name, ...) TURNS(name, MOVES, for (long i = 0; i < MOVES; i++) { __VA_ARGS__; } sync())
MOVE(bulk_read_4k, bulk_read(&local[8 * i], &p[i], BULK))
MOVE(bulk_get_4k, bulk_get(&local[8 * i], &p[i], BULK))
MOVE(load_4k, plain_move(&local[8 * i], &raw[i], BULK))
MOVE(bulk_write_4k, bulk_write(&p[i], &local[8 * i], BULK))
MOVE(bulk_put_4k, bulk_put(&p[i], &local[8 * i], BULK))
MOVE(bulk_store_4k, bulk_store(&p[i], &local[8 * i], BULK))
MOVE(store_4k, plain_move(&raw[i], &local[8 * i], BULK))
MOVE(bulk_read_64, bulk_read(&local[8 * i], &p[8 * i], 64))
MOVE(load_64, plain_move(&local[8 * i], &raw[8 * i], 64))

TURNS(sync_nothing, N, for (long i = 0; i < N; i++) sync())
TURNS(nothing, N, for (long i = 0; i < N; i++) MEASURE_FORGET())

int splitc_main(int argc, char **argv) {
    for (int i = 0; i < N; i++)
        order[i] = i * 1237 % N;
    there = toglobal((MYPROC + 1) % PROCS, target);
    raw = bench_view(there);
    barrier();
    return MEASURE_MAIN(argc, argv);
}
