// Every kind of access again, with everything strict: values must be the same as relaxed.
//: clause 6.5.1.1 p10
//: clause 7.1 p3
#include <upc_strict.h>
#include "../../check.h"

struct s {
    int a[4];
    unsigned bits : 5;
    double d;
    struct {
        short x, y;
    } in;
};
shared int c[8 * THREADS];
shared[3] double b[9 * THREADS];
shared struct s st[2 * THREADS];
shared[] char text[16];
shared int *shared p[THREADS];
strict shared[2] long explicit_[4 * THREADS];

int main(void) {
    int t = MYTHREAD;
    c[t] = 5;
    c[t] += 3;
    c[t]++;
    ++c[t];
    c[t] <<= 1;
    CHECK_EQ(c[t], 20);
    CHECK_EQ(c[t]--, 20);
    CHECK_EQ((c[t + THREADS] = c[t]) + 1, 20);
    b[3 * t] = 1.5;
    b[3 * t + 1] = b[3 * t] * 2;
    b[3 * t + 1] -= 1;
    CHECK(b[3 * t + 1] == 2.0);
    struct s own = {{1, 2, 3, 4}, 7, 2.5, {8, 9}};
    st[t] = own;
    st[t + THREADS] = st[t];
    st[t + THREADS].a[2] += 10;
    st[t + THREADS].bits++;
    st[t + THREADS].in.y *= 2;
    struct s back = st[t + THREADS];
    CHECK(back.a[2] == 13 && back.bits == 8 && back.in.y == 18 && back.d == 2.5);
    CHECK_EQ(st[t].a[1] + st[t].in.x, 10);
    if (t == 0)
        for (int i = 0; i < 15; i++)
            text[i] = 'a' + i;
    p[t] = &c[t];
    *p[t] = 3;
    *p[t] += 4;
    CHECK_EQ(*p[t]++, 7);
    upc_barrier;
    CHECK(p[t] == &c[t + 1]);
    CHECK_EQ(text[14], 'o');
    for (int i = 0; i < 4; i++)
        explicit_[(2 * t + i % 2) + i / 2 * 2 * THREADS] = 10 * t + i;
    upc_barrier;
    int n = (t + 1) % THREADS;
    CHECK_EQ(explicit_[2 * n + 1], 10 * n + 1);
    CHECK_EQ(explicit_[2 * n + 2 * THREADS], 10 * n + 2);
    upc_forall(int i = 0; i < 8 * THREADS; i++; &c[i]) c[i] = i;
    upc_barrier;
    long sum = 0;
    for (shared int *q = c; q < c + 8 * THREADS; q++)
        sum += *q;
    CHECK_EQ(sum, 4L * THREADS * (8 * THREADS - 1));
    return 0;
}
