// Domains: one object for all threads, freed collectively; hints; upc_atomic_isfast; the header.
//: clause 7.6 p1
//: clause 7.6.1 p1
//: clause 7.6.1 p2
//: clause 7.6.1 p3
//: clause 7.6.3.1 p1
//: clause 7.6.3.1 p2
//: clause 7.6.3.1 p3
//: clause 7.6.3.2 p1
//: clause 7.6.3.2 p2
//: clause 7.6.4.1 p1
//: clause 7.6.4.1 p2
//: clause 7.6.4.1 p3
//: clause 7.6.4.1 p4
//: clause 7.6.4.1 p5
//: clause 7.6.4.1 p6
//: clause 7.6.4.2 p1
//: clause 7.6.4.2 p2
//: clause 7.6.4.2 p3
//: clause 7.6.4.2 p4
//: clause 7.6.4.4 p1
//: clause 7.6.4.4 p2
#include <upc_atomic.h> /* and with it <upc_types.h> */
#include "../../check.h"

#if __UPC_ATOMIC__ != 1
#error "the feature macro"
#endif

upc_atomicdomain_t *shared domains[THREADS];
shared int number;
shared long sum;
shared char bytes[64 * THREADS];

static void distinct(void) {
    static const upc_op_t ops[] = {UPC_GET, UPC_SET, UPC_CSWAP, UPC_AND, UPC_OR,  UPC_XOR, UPC_ADD,
                                   UPC_SUB, UPC_MULT, UPC_INC,  UPC_DEC, UPC_MAX, UPC_MIN};
    upc_op_t all = 0;
    for (int i = 0; i < 13; i++) {
        CHECK(ops[i] && !(ops[i] & (ops[i] - 1)));
        CHECK(!(all & ops[i]));
        all |= ops[i];
    }
    upc_atomichint_t hints[] = {UPC_ATOMIC_HINT_DEFAULT, UPC_ATOMIC_HINT_LATENCY, UPC_ATOMIC_HINT_THROUGHPUT};
    CHECK_EQ(hints[0], 0);
    CHECK(hints[1] > 0 && hints[2] > 0 && hints[1] != hints[2]);
}

static void fast(void) {
    shared void *at = &number;
    CHECK(upc_atomic_isfast(UPC_INT, UPC_ADD | UPC_GET | UPC_CSWAP | UPC_OR, at));
    CHECK(!upc_atomic_isfast(UPC_INT, UPC_MULT, at));
    CHECK(!upc_atomic_isfast(UPC_CHAR, UPC_ADD, at));
    CHECK(!upc_atomic_isfast(UPC_DOUBLE, UPC_AND, at));
    CHECK(!upc_atomic_isfast(UPC_LONG, UPC_ADD, &bytes[THREADS + MYTHREAD]));
}

// The functions are functions: they may be called through pointers, with operations known at run time.
static void by_pointer(void) {
    void (*call[2])(upc_atomicdomain_t *, void *restrict, upc_op_t, shared void *restrict,
                    const void *restrict, const void *restrict) = {upc_atomic_relaxed, upc_atomic_strict};
    volatile upc_op_t ops[2] = {UPC_ADD, UPC_SUB};
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_SUB, 0);
    for (long i = 0; i < 100; i++) {
        call[i % 2](domain, NULL, ops[i % 2], &sum, &i, NULL);
        upc_atomic_relaxed(domain, NULL, ops[i / 2 % 2], &sum, &i, NULL);
    }
    upc_barrier;
    CHECK_EQ(sum, -150 * THREADS);
    upc_all_atomicdomain_free(domain);
}

int main(void) {
    distinct();
    fast();
    by_pointer();
    for (int hint = 0; hint < 3; hint++) {
        upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_INC | UPC_GET, hint);
        upc_atomicdomain_t *other = upc_all_atomicdomain_alloc(UPC_INT, UPC_INC, hint);
        CHECK(domain != NULL);
        CHECK(other != domain);
        domains[MYTHREAD] = domain;
        upc_barrier;
        for (int t = 0; t < THREADS; t++)
            CHECK(domains[t] == domain);
        upc_atomic_relaxed(domain, NULL, UPC_INC, &number, 0, 0);
        upc_all_atomicdomain_free(domain);
        upc_barrier;
        CHECK_EQ(number, (hint + 1) * THREADS);
        upc_barrier;
        upc_all_atomicdomain_free(other);
        upc_all_atomicdomain_free(NULL);
    }
    for (int i = 0; i < 300; i++)
        upc_all_atomicdomain_free(upc_all_atomicdomain_alloc(UPC_PTS, UPC_GET, 0));
    return 0;
}
