/* Barrier, locks, flags and allocation against the C compiler's built-ins on the same memory. */
#include "../measure.h"

#include "../c/plain.h"
#include <upc_atomic.h>

/* A value, a lock and a flag on lines of memory of their own. */
struct line {
    long value;
    int lock, flag;
    char rest[112];
};

/* Returns the address in this process of any thread's line (c/view.c). */
struct line *bench_view(shared [] struct line *line);

static shared struct line lines[THREADS];
static strict shared struct line signals[THREADS];
static struct line *own, *first, *seen[2];
static upc_lock_t *own_lock, *common_lock;
static upc_atomicdomain_t *domain;
static int hops; /* rounds of the flag, the same on both threads */

#define TURNS(name, ...)                                                                                     \
    static void name(long turns) {                                                                           \
        while (turns--) {                                                                                    \
            __VA_ARGS__                                                                                      \
            MEASURE_FORGET();                                                                                \
        }                                                                                                    \
    }

TURNS(barrier, upc_barrier;)
TURNS(barrier_value, upc_barrier 7;)
TURNS(lock_own, upc_lock(own_lock); upc_unlock(own_lock);)
TURNS(builtin_lock_own, plain_lock(&own->lock); plain_unlock(&own->lock);)
TURNS(atomic_add, long one = 1, before;
      upc_atomic_relaxed(domain, &before, UPC_ADD, &lines[MYTHREAD].value, &one, NULL);)
TURNS(builtin_add, plain_add(&own->value);)
TURNS(lock_increment, upc_lock(common_lock); lines[0].value++; upc_unlock(common_lock);)
TURNS(builtin_lock_increment, plain_lock(&first->lock); first->value++; plain_unlock(&first->lock);)
TURNS(strict_hop, hops++; if (MYTHREAD == 0) signals[1].flag = hops; while (signals[MYTHREAD].flag != hops);
      if (MYTHREAD == 1) signals[0].flag = hops;)
TURNS(builtin_hop, hops++; if (MYTHREAD == 0) plain_raise(&seen[1]->flag, hops);
      plain_await(&seen[MYTHREAD]->flag, hops); if (MYTHREAD == 1) plain_raise(&seen[0]->flag, hops);)
TURNS(alloc_free, upc_free(upc_alloc(100));)
TURNS(malloc_free, plain_alloc(100);)
TURNS(global_alloc_free, upc_free(upc_global_alloc(THREADS, 100));)
TURNS(all_alloc_free, upc_all_free(upc_all_alloc(THREADS, 100));)

static const struct kernel kernels[] = {
    {"barrier", barrier, 1},
    {"barrier_value", barrier_value, 1},
    {"builtin_lock_own", builtin_lock_own, 1},
    {"lock_own", lock_own, 1},
    {"builtin_lock_increment", builtin_lock_increment, 1},
    {"lock_increment", lock_increment, 1},
    {"builtin_add", builtin_add, 1},
    {"atomic_add", atomic_add, 1},
    {"builtin_hop", builtin_hop, 2},
    {"strict_hop", strict_hop, 2},
    {"malloc_free", malloc_free, 1},
    {"alloc_free", alloc_free, 1},
    {"global_alloc_free", global_alloc_free, 1},
    {"all_alloc_free", all_alloc_free, 1},
};

int main(int argc, char **argv) {
    if (THREADS != 2) {
        fprintf(stderr, "%s: the flag goes between two threads; run it with -n 2\n", argv[0]);
        return 2;
    }
    own = bench_view((shared [] struct line *)&lines[MYTHREAD]);
    first = bench_view((shared [] struct line *)&lines[0]);
    for (int t = 0; t < 2; t++)
        seen[t] = bench_view((shared [] struct line *)&lines[t]);
    own_lock = upc_global_lock_alloc();
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
    common_lock = upc_all_lock_alloc();
    return MEASURE_MAIN(argc, argv, kernels);
}
