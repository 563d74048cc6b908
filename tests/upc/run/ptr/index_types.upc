// Indices and offsets of every integer type, and the index on either side of the brackets.
//: clause 6.4.2 p3
#include <stdint.h>
#include "../../check.h"

shared[3] int a[60 * THREADS];
enum colour { RED = 4, GREEN };

int main(void) {
    upc_forall(int i = 0; i < 60 * THREADS; i++; &a[i]) a[i] = i;
    upc_barrier;
    signed char sc = 5;
    unsigned char uc = 6;
    short s = 7;
    unsigned short us = 8;
    unsigned u = 9;
    long l = 10;
    unsigned long ul = 11;
    long long ll = 12;
    unsigned long long ull = 13;
    _Bool b = 1;
    size_t z = 14;
    enum colour c = GREEN;
    shared[3] int *p = &a[20];
    CHECK_EQ(a[sc] + a[uc] + a[s] + a[us], 26);
    CHECK_EQ(a[u] + a[l] + a[ul] + a[ll] + a[ull], 55);
    CHECK_EQ(a[b] + a[z] + a[c] + a['\n'], 30);
    CHECK_EQ(sc[a] + 3 [a], 8);
    sc = -5;
    s = -7;
    l = -10;
    CHECK_EQ(p[sc] + p[s] + *(p + l), 15 + 13 + 10);
    CHECK_EQ(*(ul + p), 31);
    CHECK_EQ(*(l + p), 10);
    CHECK_EQ(p[-1], 19);
    CHECK_EQ(*(p - 20u), 0);
    CHECK_EQ(p[(int8_t)-20], 0);
    return 0;
}
