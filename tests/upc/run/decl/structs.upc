// Shared structures: members, nested members, arrays inside, bit-fields, unions, copies of whole
// structures in all four directions, and & of a member, which is a shared [] pointer.
//: clause 6.4.4 p1
//: clause 6.5.1.1 p19
#include "../../check.h"

struct inner {
    short s[5];
    union {
        int i;
        float f;
    } u;
};
struct outer {
    char c;
    struct inner in[3];
    struct {
        long anonymous_long;
    };
    unsigned low : 3, mid : 7, high : 12;
    signed int sign : 4;
    double d;
};
shared struct outer one;
shared struct outer many[4 * THREADS];
shared[3] struct outer blocked[6 * THREADS];

static struct outer make(int n) {
    struct outer o = {.c = n, .anonymous_long = 10 * n, .low = n & 7, .mid = 100, .high = 4000, .sign = -3, .d = n / 2.0};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 5; j++)
            o.in[i].s[j] = 100 * n + 10 * i + j;
        o.in[i].u.i = i;
    }
    return o;
}

static void check(struct outer o, int n) {
    CHECK(o.c == (char)n && o.anonymous_long == 10 * n && o.low == (n & 7));
    CHECK(o.mid == 100 && o.high == 4000 && o.sign == -3 && o.d == n / 2.0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++)
            CHECK_EQ(o.in[i].s[j], 100 * n + 10 * i + j);
}

int main(void) {
    many[MYTHREAD] = make(MYTHREAD);              /* value to shared */
    many[MYTHREAD + THREADS] = many[MYTHREAD];    /* shared to shared */
    struct outer own = many[MYTHREAD + THREADS];  /* shared to private */
    check(own, MYTHREAD);
    check(many[MYTHREAD], MYTHREAD); /* by value to a function */
    shared[3] struct outer *p = &blocked[3 * MYTHREAD + 1];
    *p = own;
    p[1] = *p;
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    check(blocked[3 * next + 2], next);
    check(*&many[next], next);
    CHECK_EQ(many[next].in[2].s[4], 100 * next + 24);
    CHECK_EQ(many[next].anonymous_long, 10 * next);
    CHECK(many[next].sign == -3 && many[next].low == (next & 7));
    upc_barrier;

    many[MYTHREAD].in[1].s[2] += 5;
    many[MYTHREAD].mid++;
    many[MYTHREAD].high -= 1;
    many[MYTHREAD].sign = 7;
    many[MYTHREAD].sign++; /* 8 in 4 signed bits: implementation-defined, gcc and clang wrap */
    many[MYTHREAD].in[0].u.f = 1.0f;
    CHECK_EQ(many[MYTHREAD].in[1].s[2], 100 * MYTHREAD + 17);
    CHECK(many[MYTHREAD].mid == 101 && many[MYTHREAD].high == 3999 && many[MYTHREAD].sign == -8);
    CHECK_EQ(many[MYTHREAD].in[0].u.i, 0x3f800000);

    CHECK_EQ(upc_blocksizeof(*&many[MYTHREAD].d), 0);
    CHECK_EQ(upc_blocksizeof(*&one.in[1]), 0);
    shared[] short *s = &many[next].in[2].s[1];
    CHECK_EQ(s[3], 100 * next + 24);
    CHECK_EQ(upc_threadof(s), next);
    CHECK_EQ(upc_phaseof(s), 0);
    shared[] struct inner *in = many[next].in;
    CHECK_EQ(in[2].s[0], 100 * next + 20);
    CHECK_EQ(upc_threadof(in + 2), next);
    shared[] short *row = many[next].in[1].s;
    CHECK_EQ(row[4], 100 * next + 14);
    CHECK_EQ(upc_threadof(&one.d), 0);
    one.in[MYTHREAD % 3].u.i = 5;
    (void)one;
    upc_barrier;
    CHECK_EQ(one.in[0].u.i, 5);
    return 0;
}
