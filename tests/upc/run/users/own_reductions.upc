// Reductions and prefix reductions with functions of the program, over several layouts and
// lengths, compared with loops.
//: clause 7.4.3.1 p1
#include "../../check.h"
#include <upc_collective.h>

#define B 3
shared [B] int a[B * 4 * THREADS];
shared [B] int p[B * 4 * THREADS];
shared [] int lone[40], lone_prefix[40];
shared double d[5 * THREADS], dp[5 * THREADS];
shared [4] unsigned char uc[4 * THREADS];
shared int result;
shared double dresult;
shared unsigned char ucresult;

/* Associative, and commutative. */
static int larger_residue(int x, int y) { return x % 7 > y % 7 || (x % 7 == y % 7 && x > y) ? x : y; }
/* Associative only: composition of x -> ax + b modulo 251, packed. */
static int compose(int x, int y) {
    int a1 = x >> 8, b1 = x & 255, a2 = y >> 8, b2 = y & 255;
    return (a1 * a2 % 251) << 8 | (a2 * b1 + b2) % 251;
}
static double hypotenuse(double x, double y) { return x > y ? x + y / 2 : y + x / 2; }
static unsigned char nim(unsigned char x, unsigned char y) { return x ^ y; }

static int packed(int i) { return (i % 250 + 1) << 8 | i * 37 % 251; }

int main(void) {
    int n = B * 4 * THREADS;
    upc_forall (int i = 0; i < n; i++; &a[i])
        a[i] = packed(i);
    upc_forall (int i = 0; i < 5 * THREADS; i++; &d[i])
        d[i] = (i * 29 % 64) / 8.0;
    upc_forall (int i = 0; i < 4 * THREADS; i++; &uc[i])
        uc[i] = (unsigned char)(i * 91);
    if (MYTHREAD == 0)
        for (int i = 0; i < 40; i++)
            lone[i] = packed(i * 3);
    upc_barrier;
    const upc_flag_t all = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;

    for (int length = 1; length <= n; length = length * 2 + 1) {
        int residue = packed(0), composed = packed(0), sum = packed(0);
        for (int i = 1; i < length; i++) {
            residue = larger_residue(residue, packed(i));
            composed = compose(composed, packed(i));
            sum += packed(i);
        }
        upc_all_reduceI(&result, a, UPC_FUNC, length, B, larger_residue, all);
        CHECK_EQ(result, residue);
        upc_barrier;
        upc_all_reduceI(&result, a, UPC_NONCOMM_FUNC, length, B, compose, all);
        CHECK_EQ(result, composed);
        upc_barrier;
        upc_all_reduceI(&result, a, UPC_ADD, length, B, NULL, all);
        CHECK_EQ(result, sum);
        upc_barrier;
        upc_all_prefix_reduceI(p, a, UPC_NONCOMM_FUNC, length, B, compose, all);
        int so_far = packed(0);
        for (int i = 0; i < length; i++) {
            if (i > 0)
                so_far = compose(so_far, packed(i));
            CHECK_EQ(p[i], so_far);
        }
        upc_barrier;
    }
    /* Everything on one thread: block size 0. */
    upc_all_prefix_reduceI(lone_prefix, lone, UPC_NONCOMM_FUNC, 40, 0, compose, all);
    int so_far = packed(0);
    for (int i = 0; i < 40; i++) {
        if (i > 0)
            so_far = compose(so_far, packed(i * 3));
        CHECK_EQ(lone_prefix[i], so_far);
    }
    /* Cyclic doubles: MAX, and a prefix of sums that are exact. */
    upc_all_reduceD(&dresult, d, UPC_MAX, 5 * THREADS, 1, NULL, all);
    upc_all_prefix_reduceD(dp, d, UPC_ADD, 5 * THREADS, 1, NULL, all);
    double most = 0, sum = 0;
    for (int i = 0; i < 5 * THREADS; i++) {
        double x = (i * 29 % 64) / 8.0;
        most = x > most ? x : most;
        sum += x;
        CHECK(dp[i] == sum);
    }
    CHECK(dresult == most);
    upc_barrier;
    upc_all_reduceD(&dresult, d, UPC_FUNC, 1, 1, hypotenuse, all);
    CHECK(dresult == 0);
    upc_all_reduceUC(&ucresult, uc, UPC_FUNC, 4 * THREADS, 4, nim, all);
    unsigned char x = 0;
    for (int i = 0; i < 4 * THREADS; i++)
        x ^= (unsigned char)(i * 91);
    CHECK_EQ(ucresult, x);
    upc_barrier;
    upc_all_reduceUC(&ucresult, uc, UPC_XOR, 4 * THREADS, 4, NULL, UPC_IN_MYSYNC | UPC_OUT_ALLSYNC);
    CHECK_EQ(ucresult, x);
    return 0;
}
