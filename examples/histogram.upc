/* histogram: all threads count into one shared histogram, under locks.
 *
 * Two threads that do `bin[k]++` at once can lose a count: `bin[k]++` is a read, an addition and a write. A
 * lock around it keeps them apart; one lock for every few bins lets threads that count into different bins
 * go on together. Better still is to count privately and add once at the end, which is shown too; both must
 * give the same. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define BINS 64
#define LOCKS 16
#define SAMPLES 100000

shared long locked[BINS * THREADS], summed[BINS * THREADS]; /* the first BINS are used */
static upc_lock_t *lock[LOCKS];

/* Sample i: the sum of four throws, so that the middle bins are the fullest.  It depends on i alone. */
static int sample(unsigned i) {
    unsigned state = i * 2654435761u + 12345, sum = 0;
    for (int throw = 0; throw < 4; throw++) {
        state = state * 1664525u + 1013904223u;
        sum += (state >> 16) % (BINS / 4);
    }
    return sum;
}

static void count_under_locks(void) {
    upc_forall(int i = 0; i < SAMPLES; i++; i) {
        int bin = sample(i);
        upc_lock(lock[bin % LOCKS]);
        locked[bin]++;
        upc_unlock(lock[bin % LOCKS]);
    }
}

static void count_privately(void) {
    long mine[BINS] = {0};
    upc_forall(int i = 0; i < SAMPLES; i++; i) mine[sample(i)]++;
    for (int bin = 0; bin < BINS; bin++) {
        upc_lock(lock[bin % LOCKS]);
        summed[bin] += mine[bin];
        upc_unlock(lock[bin % LOCKS]);
    }
}

int main(void) {
    for (int i = 0; i < LOCKS; i++)
        lock[i] = upc_all_lock_alloc();
    count_under_locks();
    count_privately();
    upc_barrier;

    long total = 0, different = 0;
    for (int bin = 0; bin < BINS; bin++) {
        total += locked[bin];
        different += locked[bin] != summed[bin];
    }
    if (MYTHREAD == 0) {
        for (int bin = 0; bin < BINS; bin += 8)
            printf("%2d %5ld %.*s\n", bin, locked[bin], (int)(locked[bin] / 100),
                   "############################################################");
        printf("%ld samples, %ld bins differ\n", total, different);
    }
    for (int i = 0; i < LOCKS; i++)
        upc_all_lock_free(lock[i]);
    return total != SAMPLES || different != 0;
}
