// One, two and three dimensions, all layouts: every element keeps its own value and has its right place.
//: clause 6.5.2.1 p5
//: clause 6.5.2.1 p6
//: clause 6.5.2.1 p7
//: clause 6.5.2.1 p8
//: clause 6.5.1.1 p3
//: clause 6.5.1.1 p16
//: clause 6.5.2.1 p10
#include "../../check.h"

shared int one[10 * THREADS];
shared int ordered[THREADS * (10 * 2)];
shared int reversed[THREADS][3];
shared[4] int two[5][THREADS];
shared[2] short three[2][THREADS][3];
shared[*] int star[THREADS][7];
shared[] int solid[3][4][5];
shared[12] int rows[3 * THREADS][4];

#define TEST(first, count, B, base)                                                                      \
    do {                                                                                                 \
        int count_ = (count);                                                                            \
        for (int i = MYTHREAD; i < count_; i += THREADS)                                                 \
            (first)[i] = (base) + i;                                                                     \
        upc_barrier;                                                                                     \
        for (int i = 0; i < count_; i++) {                                                               \
            CHECK_EQ((first)[i], (base) + i);                                                            \
            CHECK_EQ(upc_threadof(&(first)[i]), (B) == 0 ? 0 : i / ((B) + !(B)) % THREADS);              \
            CHECK_EQ(upc_phaseof(&(first)[i]), (B) == 0 ? 0 : i % ((B) + !(B)));                         \
        }                                                                                                \
        upc_barrier;                                                                                     \
    } while (0)

int main(void) {
    TEST(one, 10 * THREADS, 1, 1000);
    TEST(ordered, 20 * THREADS, 1, 2000);
    TEST(&reversed[0][0], 3 * THREADS, 1, 3000);
    TEST(&two[0][0], 5 * THREADS, 4, 4000);
    TEST(&three[0][0][0], 6 * THREADS, 2, 5000);
    TEST(&star[0][0], 7 * THREADS, 7, 6000);
    TEST(&solid[0][0][0], 60, 0, 7000);
    TEST(&rows[0][0], 12 * THREADS, 12, 8000);
    for (int i = 0; i < 2; i++)
        for (int t = 0; t < THREADS; t++)
            for (int j = 0; j < 3; j++)
                CHECK_EQ(three[i][t][j], 5000 + (i * THREADS + t) * 3 + j);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++)
                CHECK_EQ(solid[i][j][k], 7000 + (i * 4 + j) * 5 + k);
    CHECK_EQ(upc_phaseof(&two), 0);
    CHECK_EQ(upc_phaseof(&three), 0);
    CHECK_EQ(*(*(rows + 2) + 3), 8011);
    return 0;
}
