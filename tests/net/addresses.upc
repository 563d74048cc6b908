/* A program at different addresses on its hosts: functions of the runtime run on an owner's host, functions
 * are compared, and messages name places. The argument `lost' makes thread 0 miss a barrier; with `freed' a
 * thread frees memory of another one twice, and with `huge' it asks for more memory than there is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc.h>
#include <upc_atomic.h>
#include <upc_collective.h>

struct bits {
    unsigned low : 5, high : 11;
};

shared struct bits fields[THREADS];
shared long counts[THREADS], values[THREADS], sum;
shared char *shared boxes[THREADS];

static long add(long a, long b) { return a + b; }

int main(int argc, char **argv) {
    int next = (MYTHREAD + 1) % THREADS;
    long one = 1;
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET | UPC_MULT, 0);
    if (argc == 2 && strcmp(argv[1], "lost") == 0 && MYTHREAD > 0)
        upc_barrier;
    for (int i = 0; i < 10; i++) {
        upc_lock(lock);
        counts[next]++;
        upc_unlock(lock);
        upc_atomic_relaxed(domain, NULL, UPC_ADD, &values[next], &one, NULL);
        fields[next].high = (unsigned)(100 * i + MYTHREAD);
    }
    boxes[MYTHREAD] = (shared char *)upc_alloc(100);
    upc_barrier;
    upc_free(boxes[next]);
    if (argc == 2 && strcmp(argv[1], "freed") == 0) {
        upc_barrier;
        if (MYTHREAD == THREADS - 1)
            upc_free(boxes[next]);
    }
    if (argc == 2 && strcmp(argv[1], "huge") == 0 && MYTHREAD == 0 &&
        upc_global_alloc(THREADS, (size_t)1 << 43))
        return 1;
    upc_all_reduceL(&sum, values, UPC_FUNC, THREADS, 1, add, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    int before = (MYTHREAD + THREADS - 1) % THREADS;
    if (counts[MYTHREAD] != 10 || values[MYTHREAD] != 10 || sum != 10 * THREADS ||
        fields[MYTHREAD].high != (unsigned)(900 + before)) {
        fprintf(stderr, "thread %d: %ld, %ld, %ld, %u\n", MYTHREAD, counts[MYTHREAD], values[MYTHREAD], sum,
                fields[MYTHREAD].high);
        return 1;
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("%d threads\n", THREADS);
    return 0;
}
