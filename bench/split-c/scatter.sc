/* Radix sort's permutation: each processor stores its keys at random places all over the processors.
 *
 * Compared with the same scatter in plain C into one array that the processes share. With COUNTED receivers
 * wait for the bytes, so that stores are counted.
 */
#include "../measure.h"

#include "../c/plain.h"

#define SMALL (1 << 13) /* keys a processor: the second-level cache holds all */
#define LARGE (1 << 20) /* does not */

static int *spread small_keys, *spread large_keys;
static int (*spread small_blocks)[SMALL];
static int *small_plain, *large_plain;
static int *place, *value; /* LARGE targets among those of all; the first SMALL of another permutation */
static int *small_place;

/* Returns the address in this process of any processor's memory (c/view.c). */
void *bench_view(void *global);

/* Makes a permutation of n PROCS numbers, of which this processor's part is kept. */
static int *permutation(int n) {
    int all = n * PROCS, *order = malloc(sizeof *order * (size_t)all);
    unsigned long state = 12345;
    for (int i = 0; i < all; i++)
        order[i] = i;
    for (int i = all - 1; i > 0; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        int j = (int)((state >> 33) % (unsigned)(i + 1)), old = order[i];
        order[i] = order[j];
        order[j] = old;
    }
    int *own = malloc(sizeof *own * (size_t)n);
    for (int i = 0; i < n; i++)
        own[i] = order[MYPROC * n + i];
    free(order);
    return own;
}

static void spread_scatter(int *spread keys, const int *where, const int *key, long n) {
    for (long i = 0; i < n; i++)
        keys[where[i]] :- key[i];
}

/* Scatters as radix sorts do: blocks of SMALL keys, and the processor computed from the rank. */
static void block_scatter(int *base, const int *where, const int *key, long n) {
    for (long i = 0; i < n; i++)
        *toglobal(where[i] / SMALL, base + where[i] % SMALL) :- key[i];
}

KERNEL(scatter_small, SMALL, spread_scatter(small_keys, small_place, value, SMALL))
KERNEL(scatter_blocks, SMALL, block_scatter((int *)small_blocks[MYPROC], small_place, value, SMALL))
KERNEL(plain_small, SMALL, plain_scatter(small_plain, small_place, value, SMALL))
KERNEL(scatter_large, LARGE, spread_scatter(large_keys, place, value, LARGE))
KERNEL(plain_large, LARGE, plain_scatter(large_plain, place, value, LARGE))

int splitc_main(int argc, char **argv) {
    small_keys = all_spread_malloc(SMALL * PROCS, sizeof(int));
    small_blocks = all_spread_malloc(PROCS, sizeof *small_blocks);
    large_keys = all_spread_malloc(LARGE * PROCS, sizeof(int));
    int *spread all = all_spread_malloc(PROCS, (SMALL + LARGE) * PROCS * sizeof(int));
    small_plain = bench_view((void *global)all);
    large_plain = small_plain + SMALL * PROCS;
    place = permutation(LARGE);
    small_place = permutation(SMALL);
    value = calloc(LARGE, sizeof *value);
    barrier();
    int status = MEASURE_MAIN(argc, argv);
#ifdef COUNTED
    reset_store_sync();
#endif
    all_store_sync();
    return status;
}
