// Compound assignment and ++/-- on shared lvalues of every arithmetic type, with C's conversions and values.
//: clause 6.4.3 p2
#include "../../check.h"

#define STEPS(T, name)                                                                                   \
    shared T name[2 * THREADS];                                                                          \
    static void test_##name(void) {                                                                      \
        T plain = 0;                                                                                     \
        shared T *p = &name[MYTHREAD];                                                                   \
        CHECK((name[MYTHREAD] = 9) == (plain = 9));                                                      \
        CHECK((*p += 5) == (plain += 5));                                                                \
        CHECK((*p -= 2) == (plain -= 2));                                                                \
        CHECK((*p *= 3) == (plain *= 3));                                                                \
        CHECK((*p /= 4) == (plain /= 4));                                                                \
        CHECK((*p)++ == plain++);                                                                        \
        CHECK(++*p == ++plain);                                                                          \
        CHECK((*p)-- == plain--);                                                                        \
        CHECK(--name[MYTHREAD] == --plain);                                                              \
        CHECK(*p == plain);                                                                              \
        *p += 300;                                                                                       \
        plain += 300;                                                                                    \
        CHECK(*p == plain);                                                                              \
        *p += 0.75;                                                                                      \
        plain += 0.75;                                                                                   \
        CHECK(*p == plain);                                                                              \
        *p *= 1.5;                                                                                       \
        plain *= 1.5;                                                                                    \
        CHECK(*p == plain);                                                                              \
    }
#define BITS(T, name)                                                                                    \
    static void bits_##name(void) {                                                                      \
        T plain = 100;                                                                                   \
        shared T *p = &name[MYTHREAD + THREADS];                                                         \
        *p = 100;                                                                                        \
        CHECK((*p %= 37) == (plain %= 37));                                                              \
        CHECK((*p <<= 2) == (plain <<= 2));                                                              \
        CHECK((*p >>= 1) == (plain >>= 1));                                                              \
        CHECK((*p |= 65) == (plain |= 65));                                                              \
        CHECK((*p ^= 12) == (plain ^= 12));                                                              \
        CHECK((*p &= 119) == (plain &= 119));                                                            \
        CHECK(*p == plain && ~*p == ~plain && -*p == -plain && !*p == !plain);                           \
    }
STEPS(char, ch)
BITS(char, ch)
STEPS(signed char, sch)
BITS(signed char, sch)
STEPS(unsigned char, uch)
BITS(unsigned char, uch)
STEPS(short, sh)
BITS(short, sh)
STEPS(unsigned short, ush)
BITS(unsigned short, ush)
STEPS(int, in)
BITS(int, in)
STEPS(unsigned, un)
BITS(unsigned, un)
STEPS(long, lo)
BITS(long, lo)
STEPS(unsigned long long, ull)
BITS(unsigned long long, ull)
STEPS(float, fl)
STEPS(double, db)
STEPS(long double, ld)

int main(void) {
    test_ch(), bits_ch();
    test_sch(), bits_sch();
    test_uch(), bits_uch();
    test_sh(), bits_sh();
    test_ush(), bits_ush();
    test_in(), bits_in();
    test_un(), bits_un();
    test_lo(), bits_lo();
    test_ull(), bits_ull();
    test_fl();
    test_db();
    test_ld();
    return 0;
}
