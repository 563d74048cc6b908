// Shared scalars of every type lie on thread 0, start at zero, and are seen by all.
//: clause 6.5.2 p9
//: clause 6.5.1.1 p1
//: clause 6.5.1.1 p17
#include <complex.h>
#include "../../check.h"

shared _Bool b;
shared char c;
shared signed char sc;
shared unsigned short us;
shared int i;
shared unsigned u;
shared long l;
shared unsigned long long ull;
shared float f;
shared double d;
shared long double ld;
shared double complex z;
shared __int128 wide;
shared enum colour { RED, GREEN, BLUE } e;
static shared int file_local;
strict shared int y;
shared[3] int with_layout;
int shared after;
const shared int never_written;
shared volatile int watched;

int main(void) {
    CHECK(!b && !c && !sc && !us && !i && !u && !l && !ull && !e && !file_local && !y && !never_written);
    CHECK(f == 0 && d == 0 && ld == 0 && z == 0 && wide == 0 && with_layout == 0 && after == 0);
    CHECK_EQ(upc_threadof(&i) + upc_threadof(&d) + upc_threadof(&with_layout) + upc_threadof(&after), 0);
    CHECK_EQ(upc_phaseof(&with_layout), 0);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        b = 5;
        c = 'x';
        sc = -7;
        us = 65535;
        i = -123456;
        u = 4000000000u;
        l = -1L << 40;
        ull = ~0ull;
        f = 1.5f;
        d = -2.25;
        ld = 1e30L;
        z = 1 + 2 * I;
        wide = (__int128)1 << 100;
        e = BLUE;
        file_local = 9;
        y = 10;
        with_layout = 11;
        after = 12;
        watched = 13;
    }
    upc_barrier;
    CHECK_EQ(b, 1);
    CHECK_EQ(c, 'x');
    CHECK_EQ(sc, -7);
    CHECK_EQ(us, 65535);
    CHECK_EQ(i, -123456);
    CHECK_EQ(u, 4000000000u);
    CHECK_EQ(l, -1L << 40);
    CHECK(ull == ~0ull);
    CHECK(f == 1.5f && d == -2.25 && ld == 1e30L);
    CHECK(creal(z) == 1 && cimag(z) == 2);
    CHECK_EQ(wide >> 98, 4);
    CHECK_EQ(e, BLUE);
    CHECK_EQ(file_local + y + with_layout + after + watched, 55);
    return 0;
}
