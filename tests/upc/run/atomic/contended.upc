// All threads on one object: no update is lost, with any operation and type.
//: clause 7.6.2 p2
//: clause 7.6.4.3 p10
#include <stdint.h>
#include <upc_atomic.h>
#include "../../check.h"

#define N 1500
#define OPS                                                                                                  \
    (UPC_GET | UPC_SET | UPC_CSWAP | UPC_ADD | UPC_SUB | UPC_INC | UPC_DEC | UPC_MULT | UPC_MIN | UPC_MAX)

#define CONTEND(T, code)                                                                                 \
    shared T object_##T, low_##T, high_##T, product_##T;                                                 \
    shared T taken_##T[THREADS];                                                                         \
    void contend_##T(void) {                                                                             \
        upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(code, OPS, 0);                           \
        T two = 2, one = 1, least = 1000, most = 1000, minus = (T)-1, old, next, sum = 0;                \
        if (MYTHREAD == 0) {                                                                             \
            object_##T = 0;                                                                              \
            low_##T = high_##T = 1000;                                                                   \
            product_##T = 1;                                                                             \
        }                                                                                                \
        upc_barrier;                                                                                     \
        for (int i = 0; i < N; i++) {                                                                    \
            upc_atomic_relaxed(domain, NULL, UPC_ADD, &object_##T, &two, NULL);                          \
            upc_atomic_strict(domain, &old, UPC_SUB, &object_##T, &one, NULL);                           \
            upc_atomic_relaxed(domain, NULL, UPC_INC, &object_##T, NULL, NULL);                          \
            upc_atomic_relaxed(domain, &old, UPC_DEC, &object_##T, NULL, NULL);                          \
            least = (T)(1000 - i % 900 - MYTHREAD % 90);                                                 \
            upc_atomic_relaxed(domain, NULL, UPC_MIN, &low_##T, &least, NULL);                           \
            most = (T)(1000 + i + MYTHREAD);                                                             \
            upc_atomic_relaxed(domain, NULL, UPC_MAX, &high_##T, &most, NULL);                           \
            upc_atomic_relaxed(domain, NULL, UPC_MULT, &product_##T, &minus, NULL);                      \
            do { /* an increment by hand */                                                              \
                upc_atomic_relaxed(domain, &old, UPC_GET, &object_##T, NULL, NULL);                      \
                next = old + 1;                                                                          \
                T seen = old;                                                                            \
                upc_atomic_relaxed(domain, &old, UPC_CSWAP, &object_##T, &seen, &next);                  \
                next -= 1;                                                                               \
            } while (old != next);                                                                       \
        }                                                                                                \
        upc_barrier;                                                                                     \
        CHECK(object_##T == (T)2 * N * THREADS);                                                         \
        CHECK(low_##T == (T)(1000 - 899 - (THREADS - 1) % 90));                                          \
        CHECK(high_##T == (T)(1000 + N - 1 + THREADS - 1));                                              \
        CHECK(product_##T == 1);                                                                         \
        upc_barrier;                                                                                     \
        /* Exchange hands values around and loses none: each thread puts in 1 and sums its results. */   \
        if (MYTHREAD == 0)                                                                               \
            object_##T = 0;                                                                              \
        upc_barrier;                                                                                     \
        for (int i = 0; i < N; i++) {                                                                    \
            upc_atomic_relaxed(domain, &old, UPC_SET, &object_##T, &one, NULL);                          \
            sum += old;                                                                                  \
        }                                                                                                \
        taken_##T[MYTHREAD] = sum;                                                                       \
        upc_barrier;                                                                                     \
        sum = object_##T;                                                                                \
        for (int t = 0; t < THREADS; t++)                                                                \
            sum += taken_##T[t];                                                                         \
        CHECK(sum == (T)N * THREADS);                                                                    \
        upc_all_atomicdomain_free(domain);                                                               \
    }

typedef unsigned long ulong_;
CONTEND(int, UPC_INT)
CONTEND(ulong_, UPC_ULONG)
CONTEND(int64_t, UPC_INT64)
CONTEND(uint32_t, UPC_UINT32)
CONTEND(float, UPC_FLOAT)
CONTEND(double, UPC_DOUBLE)

shared uint64_t ors, xors, ands;

void contend_bits(void) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_AND | UPC_OR | UPC_XOR, 0);
    uint64_t old;
    if (MYTHREAD == 0)
        ands = ~(uint64_t)0;
    upc_barrier;
    for (int i = 0; i < N; i++)
        for (int bit = MYTHREAD; bit < 64; bit += THREADS) {
            uint64_t mask = (uint64_t)1 << bit, rest = ~mask;
            upc_atomic_relaxed(domain, i & 1 ? &old : NULL, UPC_OR, &ors, &mask, NULL);
            upc_atomic_relaxed(domain, i & 1 ? &old : NULL, UPC_XOR, &xors, &mask, NULL);
            upc_atomic_strict(domain, i & 1 ? &old : NULL, UPC_AND, &ands, &rest, NULL);
            if (i & 1)
                CHECK(!(old & mask));
        }
    upc_barrier;
    CHECK(ors == ~(uint64_t)0);
    CHECK(xors == 0);
    CHECK(ands == 0);
    upc_all_atomicdomain_free(domain);
}

int main(void) {
    contend_int();
    contend_ulong_();
    contend_int64_t();
    contend_uint32_t();
    contend_float();
    contend_double();
    contend_bits();
    return 0;
}
