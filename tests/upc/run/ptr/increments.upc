// ++, --, += and -= on pointers-to-shared, prefix and postfix, give and leave the right values.
//: clause 6.4.2 p3
//: clause 6.4.2 p4
#include "../../check.h"
#include "layout.h"

#define N 24
shared int a1[N * THREADS];
shared[5] int a5[N * THREADS];
shared[] int a0[N];

#define TEST(B, a, count)                                                                                \
    do {                                                                                                 \
        shared[B] int *p = (a), *q;                                                                      \
        for (int i = 0; i < (count); i++) {                                                              \
            CHECK_EQ(*p, i);                                                                             \
            q = p++;                                                                                     \
            CHECK(q == &(a)[i]);                                                                         \
            CHECK(upc_threadof(q) == THREAD_OF(i, B));                                                   \
            CHECK_EQ(p - q, 1);                                                                          \
        }                                                                                                \
        for (int i = (count)-1; i >= 0; i--) {                                                           \
            q = --p;                                                                                     \
            CHECK(q == p && *q == i);                                                                    \
            CHECK_EQ(upc_phaseof(p), B < 2 ? 0 : PHASE_OF(i, B));                                        \
        }                                                                                                \
        CHECK(p == (a));                                                                                 \
        CHECK(*p++ == 0 && *p == 1);                                                                     \
        CHECK(*++p == 2);                                                                                \
        CHECK(*p-- == 2 && *--p == 0);                                                                   \
        for (int step = 1; step < 9; step++) {                                                           \
            p = (a);                                                                                     \
            for (int i = 0; i + step < (count); i += step, p += step)                                    \
                CHECK_EQ(*p, i);                                                                         \
            int at = ((count)-1) / step * step;                                                          \
            p = &(a)[at];                                                                                \
            for (; at > 0; at -= step, p -= step)                                                        \
                CHECK_EQ(*p, at);                                                                        \
            CHECK(p == (a));                                                                             \
            p = &(a)[(count) / 2];                                                                       \
            p += -step;                                                                                  \
            CHECK(p == &(a)[(count) / 2 - step]);                                                        \
            p -= -step;                                                                                  \
            CHECK(p == &(a)[(count) / 2]);                                                               \
        }                                                                                                \
    } while (0)

int main(void) {
    if (MYTHREAD == 0) {
        for (int i = 0; i < N * THREADS; i++)
            a1[i] = a5[i] = i;
        for (int i = 0; i < N; i++)
            a0[i] = i;
    }
    upc_barrier;
    TEST(1, a1, N * THREADS);
    TEST(5, a5, N * THREADS);
    TEST(0, a0, N);
    return 0;
}
