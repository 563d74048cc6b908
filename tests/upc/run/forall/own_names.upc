//: clause 6.6.2 p8
// Loops that declare in their bodies the pointers of their accesses, and subscripts that wrap around.
#include <upc_relaxed.h>
#include "../../check.h"

#define N 12
shared int a[N * THREADS];
shared int *p; /* not what the bodies call p */

static void pointers_of_the_body(void) {
    upc_forall(int i = 0; i < N * THREADS; i++; i) {
        shared int *p = a;
        p[i] = i;
    }
    upc_forall(int i = 0; i < N * THREADS; i++; i) {
        shared int *one = a;
        one[i] += 1;
    }
}

static void arrays_of_the_body(void) {
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS) {
        extern shared int b[N * THREADS];
        b[i] = i;
    }
}

static void unsigned_affinity(void) {
    static int runs[N];
    upc_forall(unsigned i = 0; i < N; i++; i - 1) runs[i]++;
    for (unsigned i = 0; i < N; i++)
        CHECK(runs[i] == ((i - 1) % (unsigned)THREADS == (unsigned)MYTHREAD));
}

extern shared int b[N * THREADS];

int main(void) {
    pointers_of_the_body();
    arrays_of_the_body();
    unsigned_affinity();
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++) {
        CHECK(a[i] == i + 1);
        CHECK(b[i] == i);
    }
    CHECK(p == NULL);
    return 0;
}

shared int b[N * THREADS];
