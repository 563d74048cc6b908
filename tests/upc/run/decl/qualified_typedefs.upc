// A typedef name may bring qualifiers along: values have no qualifiers, and are read, written and updated
// as usual.
//: clause 6.5.1.1 p5
#include "../../check.h"

typedef const int constant;
typedef volatile long vlong;
typedef const volatile double reading;
typedef const struct { int a, b[3]; } fixed;
struct holder {
    constant c;
    vlong v;
    fixed f;
};
typedef struct holder holder;
typedef struct {
    const int id;
    volatile int v;
} plain;
typedef const plain frozen;
typedef volatile int vint;

shared constant one = 1;
shared vlong counters[THREADS];
shared[2] constant zeros[2 * THREADS];
shared reading r;
shared fixed f = {4, {5, 6, 7}};
shared holder h = {8, 9, {10, {11, 12, 13}}};
shared constant *p = &one;
shared plain plains[THREADS];
shared[] vint solid[3] = {1, 2, 3};

static int sum(shared constant *q, int n) { return n == 0 ? 0 : *q + sum(q, n - 1); }

int main(void) {
    int right = (MYTHREAD + 1) % THREADS;
    counters[right] = 5;
    counters[right] += MYTHREAD;
    counters[right]++;
    long before = counters[right]--;
    upc_barrier;
    CHECK_EQ(before, 6 + MYTHREAD);
    CHECK_EQ(counters[MYTHREAD], 5 + (MYTHREAD + THREADS - 1) % THREADS);
    CHECK_EQ(one + *p + sum(p, 3) + zeros[2 * THREADS - 1], 5);
    CHECK(r == 0);
    fixed copy = f;
    CHECK_EQ(copy.b[2] + f.b[0] + f.a, 16);
    CHECK_EQ(h.c + h.v + h.f.a + h.f.b[1], 8 + 9 + 10 + 12);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        h.v *= 2;
    upc_barrier;
    plains[MYTHREAD].v = MYTHREAD;
    upc_barrier;
    shared[] frozen *frosty = (shared[] frozen *)&plains[right];
    frozen got = *frosty;
    CHECK_EQ(got.v + frosty->v + solid[2], 2 * right + 3);
    holder whole = h;
    CHECK_EQ(whole.v + whole.c, 26);
    return 0;
}
