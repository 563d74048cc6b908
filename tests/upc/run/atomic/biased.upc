// Objects that their owner counts in, and others at the same time: other UPC threads, and POSIX threads that
// the owner has made.  No increment is lost.
//: clause 7.6.4.3 p10
//: layout 1 1
//: layout 1 1 1
//: layout 2 1
#include <pthread.h>
#include <upc_atomic.h>
#include "../../check.h"

#define OWN 1000000
#define FENCES 1000
#define BURST 100

shared long count[THREADS], both[THREADS], finished[THREADS];
upc_atomicdomain_t *domain;

// The owner computes, and takes no messages, until its neighbour has counted in the same object.
void by_neighbours(void) {
    long own = 0, one = 1, old;
    if (MYTHREAD % 2 == 0 && MYTHREAD + 1 < THREADS)
        for (volatile long *done = (long *)&finished[MYTHREAD]; !*done;)
            for (int k = 0; k < 1000; k++, own++)
                upc_atomic_relaxed(domain, NULL, UPC_INC, &count[MYTHREAD], NULL, NULL);
    if (MYTHREAD % 2) {
        for (int i = 0; i < FENCES; i++) {
            for (int k = 0; k < BURST; k++)
                upc_atomic_relaxed(domain, NULL, UPC_INC, &count[MYTHREAD - 1], NULL, NULL);
            upc_atomic_relaxed(domain, NULL, UPC_ADD, &count[MYTHREAD - 1], &one, NULL);
            upc_atomic_relaxed(domain, &old, UPC_ADD, &count[MYTHREAD - 1], &one, NULL);
            CHECK(old >= (i + 1L) * BURST + 2 * i);
            upc_fence;
        }
        finished[MYTHREAD - 1] = 1;
        upc_fence;
    }
    upc_barrier;
    long others = MYTHREAD % 2 == 0 && MYTHREAD + 1 < THREADS ? FENCES * (BURST + 2) : 0;
    CHECK(count[MYTHREAD] == own + others);
}

// What MYTHREAD is, a thread made by pthread_create knows too.
void *counts(void *kind) {
    long one = 1, old;
    for (int i = 0; i < OWN; i++)
        if (kind)
            upc_atomic_relaxed(domain, &old, UPC_ADD, &both[MYTHREAD], &one, NULL);
        else
            upc_atomic_relaxed(domain, NULL, UPC_INC, &both[MYTHREAD], NULL, NULL);
    return NULL;
}

void by_posix_threads(long kind) {
    pthread_t other;
    both[MYTHREAD] = 0;
    counts(NULL);
    CHECK(pthread_create(&other, NULL, counts, (void *)kind) == 0);
    counts(NULL);
    CHECK(pthread_join(other, NULL) == 0);
    CHECK(both[MYTHREAD] == 3 * OWN);
}

int main(void) {
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_INC | UPC_ADD, 0);
    by_neighbours();
    by_posix_threads(MYTHREAD % 2); // the first of them is another one on each host
    by_posix_threads(!(MYTHREAD % 2));
    upc_barrier;
    upc_all_atomicdomain_free(domain);
    return 0;
}
