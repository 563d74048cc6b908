// Atomics of narrow types: no C compiler may warn of the headers' cases for wide ones, or of each file's
// definitions for the runtime.
//: clause 7.6.4.3 p1
//: flags -O2 -Wall -Wextra -Wmissing-prototypes -Wmissing-declarations -Werror
#include "../../check.h"
#include <upc_atomic.h>

shared int narrow;
shared float real;

static int changed(upc_atomicdomain_t *ints, upc_atomicdomain_t *reals) {
    int old, one = 1, bit = 64, limit = 1 << 20;
    float half = 0.5f, was;
    upc_atomic_relaxed(ints, &old, UPC_ADD, &narrow, &one, 0);
    upc_atomic_relaxed(ints, 0, UPC_ADD, &narrow, &one, 0);
    upc_atomic_strict(ints, &old, UPC_CSWAP, &narrow, &limit, &bit);
    upc_barrier;
    CHECK_EQ(narrow, 2 * THREADS);
    upc_barrier;
    upc_atomic_relaxed(ints, 0, UPC_OR, &narrow, &bit, 0);
    upc_atomic_strict(ints, &old, UPC_GET, &narrow, 0, 0);
    upc_atomic_relaxed(reals, 0, UPC_SET, &real, &half, 0);
    upc_atomic_relaxed(reals, &was, UPC_GET, &real, 0, 0);
    CHECK(was == 0.5f);
    return old;
}

int main(void) {
    upc_atomicdomain_t *ints = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_CSWAP | UPC_OR | UPC_GET, 0);
    upc_atomicdomain_t *reals = upc_all_atomicdomain_alloc(UPC_FLOAT, UPC_SET | UPC_GET, 0);
    CHECK_EQ(changed(ints, reals), 2 * THREADS | 64);
    upc_all_atomicdomain_free(reals);
    upc_all_atomicdomain_free(ints);
    return 0;
}
