// UPC_PTS: objects of type shared void *, whole pointers at once, compared without their phase; also in a
// struct, at an address that the processor cannot update in one piece.
//: clause 7.6.2 p3
//: clause 7.6.4.3 p8
//: clause 7.6.4.3 p10
#include <stddef.h>
#include <upc_atomic.h>
#include "../../check.h"

#define N 2000

shared void *shared head;
shared int numbers[8 * THREADS];
shared[4] int blocked[4 * THREADS];

struct odd {
    long first;
    shared void *a;
    long middle;
    shared void *b;
};
shared struct odd odd;

// Every thread moves the pointer from its current element to the next; none of the steps is lost.
static void steps(upc_atomicdomain_t *domain, shared void *shared[] *place) {
    long moved = 0;
    while (moved < N) {
        shared void *seen, *next, *old;
        upc_atomic_relaxed(domain, &seen, UPC_GET, place, NULL, NULL);
        shared int *element = (shared int *)seen;
        size_t index = (element - numbers + 1) % (8 * THREADS);
        next = &numbers[index];
        upc_atomic_strict(domain, &old, UPC_CSWAP, place, &seen, &next);
        if (old == seen)
            moved++;
    }
}

static void walk(upc_atomicdomain_t *domain, shared void *shared[] *place) {
    shared void *start = &numbers[0], *end;
    if (MYTHREAD == 0)
        upc_atomic_relaxed(domain, NULL, UPC_SET, place, &start, NULL);
    upc_barrier;
    steps(domain, place);
    upc_barrier;
    upc_atomic_relaxed(domain, &end, UPC_GET, place, NULL, NULL);
    CHECK_EQ((shared int *)end - numbers, (long)N * THREADS % (8 * THREADS));
    upc_barrier;
}

static void phases(upc_atomicdomain_t *domain, shared void *shared[] *place) {
    if (MYTHREAD != THREADS - 1)
        return;
    shared void *third = &blocked[3], *bare = upc_resetphase(third), *old, *null = NULL;
    CHECK_EQ(upc_phaseof(third), 3);
    upc_atomic_relaxed(domain, NULL, UPC_SET, place, &third, NULL);
    upc_atomic_relaxed(domain, &old, UPC_CSWAP, place, &bare, &null); // equal except for the phase
    CHECK(old == third);
    CHECK_EQ(upc_phaseof(old), 3);
    upc_atomic_relaxed(domain, &old, UPC_GET, place, NULL, NULL);
    CHECK(old == NULL);
    upc_atomic_strict(domain, &old, UPC_SET, place, &third, NULL);
    CHECK(old == NULL);
    upc_atomic_strict(domain, &old, UPC_CSWAP, place, &null, &null); // not there
    CHECK(old == third);
    upc_atomic_strict(domain, &old, UPC_GET, place, NULL, NULL);
    CHECK(old == third);
    CHECK_EQ(upc_phaseof(old), 3);
}

int main(void) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_PTS, UPC_GET | UPC_SET | UPC_CSWAP, 0);
    walk(domain, (shared void *shared[] *)&head);
    walk(domain, &odd.a);
    walk(domain, &odd.b);
    phases(domain, (shared void *shared[] *)&head);
    phases(domain, &odd.a);
    phases(domain, &odd.b);
    upc_all_atomicdomain_free(domain);
    return 0;
}
