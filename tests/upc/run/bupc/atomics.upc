// Atomic operations by type: results one by one, and under contention.
#include <bupc_extensions.h>
#include "../../check.h"

#define N 3000

#define MOVES(X, T, mode, at)                                                                            \
    bupc_atomic##X##_set_##mode(at, (T)5);                                                               \
    CHECK(bupc_atomic##X##_read_##mode(at) == (T)5);                                                     \
    CHECK(bupc_atomic##X##_swap_##mode(at, (T)-7) == (T)5);                                              \
    CHECK(bupc_atomic##X##_cswap_##mode(at, (T)6, (T)9) == (T)-7);                                       \
    CHECK(bupc_atomic##X##_cswap_##mode(at, (T)-7, (T)9) == (T)-7);                                      \
    CHECK(bupc_atomic##X##_read_##mode(at) == (T)9)

#define BITS(X, T, mode, at)                                                                             \
    MOVES(X, T, mode, at);                                                                               \
    CHECK(bupc_atomic##X##_fetchadd_##mode(at, (T)-10) == (T)9);                                         \
    CHECK(bupc_atomic##X##_fetchnot_##mode(at) == (T)-1);                                                \
    CHECK(bupc_atomic##X##_fetchor_##mode(at, (T)0xf3) == (T)0);                                         \
    CHECK(bupc_atomic##X##_fetchand_##mode(at, (T)0x3e) == (T)0xf3);                                     \
    CHECK(bupc_atomic##X##_fetchxor_##mode(at, (T)0x0f) == (T)0x32);                                     \
    CHECK(bupc_atomic##X##_mswap_##mode(at, (T)0xf0, (T)0xabc) == (T)0x3d);                              \
    CHECK(bupc_atomic##X##_read_##mode(at) == (T)0xbd)

#define INTEGER(X, T)                                                                                    \
    static shared T object_##X[THREADS], sum_##X;                                                        \
    static void test_##X(void) {                                                                         \
        T own = 0;                                                                                       \
        BITS(X, T, relaxed, &object_##X[MYTHREAD]);                                                      \
        BITS(X, T, strict, &object_##X[MYTHREAD]);                                                       \
        BITS(X, T, private, &own);                                                                       \
        for (int i = 0; i < N; i++) {                                                                    \
            bupc_atomic##X##_fetchadd_relaxed(&sum_##X, 3);                                              \
            bupc_atomic##X##_fetchadd_strict(&sum_##X, (T)-2);                                           \
        }                                                                                                \
        upc_barrier;                                                                                     \
        CHECK(bupc_atomic##X##_read_strict(&sum_##X) == (T)N * THREADS);                                 \
    }
#define FLOATING(X, T)                                                                                   \
    static shared T object_##X[THREADS];                                                                 \
    static void test_##X(void) {                                                                         \
        T own = 0;                                                                                       \
        MOVES(X, T, relaxed, &object_##X[MYTHREAD]);                                                     \
        MOVES(X, T, strict, &object_##X[MYTHREAD]);                                                      \
        MOVES(X, T, private, &own);                                                                      \
    }

INTEGER(I, int)
INTEGER(U, unsigned int)
INTEGER(UI, unsigned int)
INTEGER(L, long)
INTEGER(UL, unsigned long)
INTEGER(I32, int32_t)
INTEGER(U32, uint32_t)
INTEGER(I64, int64_t)
INTEGER(U64, uint64_t)
FLOATING(F, float)
FLOATING(D, double)

// Each thread has its own byte of one word, by masks.
static shared uint32_t bytes;
static void masks(void) {
    uint32_t mask = (uint32_t)0xf << MYTHREAD % 8 * 4;
    for (int i = 0; i < N && MYTHREAD < 8; i++) {
        uint32_t value = (uint32_t)(i % 16) * 0x11111111u,
                 old = bupc_atomicU32_mswap_relaxed(&bytes, mask, value);
        CHECK_EQ(old & mask, (uint32_t)((i + 15) % 16 * (i > 0)) * 0x11111111u & mask);
    }
}

int main(void) {
    test_I();
    test_U();
    test_UI();
    test_L();
    test_UL();
    test_I32();
    test_U32();
    test_I64();
    test_U64();
    test_F();
    test_D();
    masks();
    return 0;
}
