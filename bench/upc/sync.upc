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

KERNEL(barrier, 1, upc_barrier)
KERNEL(barrier_value, 1, upc_barrier 7)
KERNEL(lock_own, 1, upc_lock(own_lock); upc_unlock(own_lock))
KERNEL(builtin_lock_own, 1, plain_lock(&own->lock); plain_unlock(&own->lock))
KERNEL(atomic_add, 1, long one = 1, before;
       upc_atomic_relaxed(domain, &before, UPC_ADD, &lines[MYTHREAD].value, &one, NULL))
KERNEL(builtin_add, 1, plain_add(&own->value))
KERNEL(lock_increment, 1, upc_lock(common_lock); lines[0].value++; upc_unlock(common_lock))
KERNEL(builtin_lock_increment, 1, plain_lock(&first->lock); first->value++; plain_unlock(&first->lock))
KERNEL(strict_hop, 2, hops++; if (MYTHREAD == 0) signals[1].flag = hops; while (signals[MYTHREAD].flag != hops);
       if (MYTHREAD == 1) signals[0].flag = hops)
KERNEL(builtin_hop, 2, hops++; if (MYTHREAD == 0) plain_raise(&seen[1]->flag, hops);
       plain_await(&seen[MYTHREAD]->flag, hops); if (MYTHREAD == 1) plain_raise(&seen[0]->flag, hops))
KERNEL(alloc_free, 1, upc_free(upc_alloc(100)))
KERNEL(malloc_free, 1, plain_alloc(100))
KERNEL(global_alloc_free, 1, upc_free(upc_global_alloc(THREADS, 100)))
KERNEL(all_alloc_free, 1, upc_all_free(upc_all_alloc(THREADS, 100)))

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
    return MEASURE_MAIN(argc, argv);
}
