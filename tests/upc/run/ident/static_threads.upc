// In the static environment THREADS is a constant: #if, case labels, bounds, enumerators, initialisers.
//: clause 6.3.1 p1
//: clause 6.7.2 p2
//: clause 6.5.2.1 p9
//: mode static
//: static 1 3 4 8
#include "../../check.h"

#if THREADS < 1 || THREADS > 1000
#error THREADS must be a constant here
#endif
#ifndef __UPC_STATIC_THREADS__
#error the macro of the static environment must be defined
#endif
#ifdef __UPC_DYNAMIC_THREADS__
#error the macro of the dynamic environment must not be defined
#endif
#if __UPC_STATIC_THREADS__ != 1
#error the macro must be 1
#endif

enum { TWICE = 2 * THREADS };
int private_array[THREADS] = {7};
static int from_constant = THREADS + 1;
shared int plus[10 + THREADS];
shared[] int indefinite[THREADS];
shared int ten[10];
shared int square[THREADS][4 * THREADS];
shared int product[THREADS * THREADS];
shared int three[THREADS * 100 * 20];
shared int (**pointer)[THREADS][THREADS];
typedef shared int (*array_pointer)[THREADS][13][THREADS];
shared[3] int odd[10];
struct bits {
    unsigned b : THREADS;
};
_Static_assert(THREADS > 0, "a constant");

int main(void) {
    CHECK_EQ(sizeof(private_array) / sizeof(int), THREADS);
    CHECK_EQ(from_constant, THREADS + 1);
    CHECK_EQ(TWICE, THREADS + THREADS);
    CHECK_EQ(sizeof plus, (10 + THREADS) * sizeof(int));
    CHECK_EQ(sizeof square, THREADS * 4 * THREADS * sizeof(int));
    CHECK_EQ(sizeof(struct bits), sizeof(unsigned));
    switch (MYTHREAD + 1) {
    case THREADS: CHECK(MYTHREAD == THREADS - 1); break;
    default: CHECK(MYTHREAD < THREADS - 1);
    }
    for (int i = MYTHREAD; i < 10 + THREADS; i += THREADS)
        plus[i] = i;
    if (MYTHREAD == 0)
        for (int i = 0; i < 10; i++)
            odd[i] = i * i;
    upc_barrier;
    for (int i = 0; i < 10 + THREADS; i++) {
        CHECK_EQ(plus[i], i);
        CHECK_EQ(upc_threadof(&plus[i]), i % THREADS);
    }
    for (int i = 0; i < 10; i++) {
        CHECK_EQ(odd[i], i * i);
        CHECK_EQ(upc_threadof(&odd[i]), i / 3 % THREADS);
        CHECK_EQ(upc_phaseof(&odd[i]), i % 3);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(upc_threadof(&indefinite[i]), 0);
    for (int i = 0; i < THREADS; i++)
        for (int j = 0; j < 4 * THREADS; j++)
            CHECK_EQ(upc_threadof(&square[i][j]), (i * 4 * THREADS + j) % THREADS);
    (void)pointer;
    (void)(array_pointer)0;
    (void)three;
    (void)product;
    (void)ten;
    return 0;
}
