// p + n and p - n for every start and every distance, for block sizes 1, 2, 3, 10 and element sizes that
// are and are not powers of two: phase, thread, address and value.
//: clause 6.4.2 p3
//: clause 6.4.2 p4
//: clause 6.5.2.1 p5
//: clause 7.2.3.1 p2
//: clause 7.2.3.2 p2
#include "../../check.h"
#include "layout.h"

struct three {
    char c[3];
};
struct big {
    long n;
    char rest[40];
};
#define N 30
shared char a1[N * THREADS];
shared[2] int a2[N * THREADS];
shared[3] struct three a3[N * THREADS];
shared[10] struct big a10[N * THREADS];
shared[7] double a7[N * THREADS];
shared[*] short as[N * THREADS];

#define TEST(T, B, a)                                                                                    \
    do {                                                                                                 \
        shared[B] T *origin = (a);                                                                       \
        for (int i = 0; i < N * THREADS; i += 1 + THREADS / 3) {                                         \
            shared[B] T *p = origin + i;                                                                 \
            CHECK_EQ(upc_threadof(p), THREAD_OF(i, B));                                                  \
            CHECK_EQ(upc_phaseof(p), B == 1 ? 0 : PHASE_OF(i, B));                                       \
            CHECK(p == &(a)[i]);                                                                         \
            CHECK_EQ(upc_addrfield(p) - upc_addrfield(origin + B * (THREAD_OF(i, B))),                   \
                     LOCAL_OF(i, B) * sizeof(T));                                                        \
            for (int j = 0; j < N * THREADS; j += 1 + THREADS / 2) {                                     \
                shared[B] T *q = p + (j - i), *r = p - (i - j);                                          \
                CHECK(q == &(a)[j] && r == q);                                                           \
                CHECK_EQ(upc_threadof(q), THREAD_OF(j, B));                                              \
                CHECK_EQ(upc_phaseof(q), B == 1 ? 0 : PHASE_OF(j, B));                                   \
                CHECK_EQ(upc_phaseof(r), upc_phaseof(q));                                                \
                CHECK_EQ(q - p, j - i);                                                                  \
                CHECK_EQ(p - q, i - j);                                                                  \
                CHECK((p < q) == (i < j) && (p <= q) == (i <= j));                                       \
                CHECK((p > q) == (i > j) && (p >= q) == (i >= j));                                       \
                CHECK((p == q) == (i == j) && (p != q) == (i != j));                                     \
            }                                                                                            \
        }                                                                                                \
    } while (0)

int main(void) {
    TEST(char, 1, a1);
    TEST(int, 2, a2);
    TEST(struct three, 3, a3);
    TEST(struct big, 10, a10);
    TEST(double, 7, a7);
    TEST(short, 30, as);
    /* A large unsigned number is a negative one, also of rows. */
    static shared[3] char rows[8 * THREADS][3];
    CHECK(&rows[6] + (size_t)-4 == &rows[2]);
    CHECK(&rows[2] - (size_t)-4 == &rows[6]);
    return 0;
}
