// Pointer affinities: the body runs where the object lies, for each kind of pointer and layout.
//: clause 6.6.2 p4
//: clause 6.6.2 p7
#include "../../check.h"

#define N 60
shared int c[N * THREADS];
shared[7] double b[N * THREADS];
shared[] char s[N];
shared[*] long star[N * THREADS];
shared[4] struct {
    int x, y;
} st[N * THREADS];

int main(void) {
    int i, mine;
    upc_forall(i = 0; i < N * THREADS; i++; &c[i]) {
        CHECK_EQ(upc_threadof(&c[i]), MYTHREAD);
        c[i] += i + 1;
    }
    upc_forall(i = 0; i < N * THREADS; i++; &b[i]) {
        CHECK_EQ(upc_threadof(&b[i]), MYTHREAD);
        b[i] += i + 1;
    }
    upc_forall(i = 0; i < N; i++; &s[i]) s[i]++;
    upc_forall(i = 0; i < N * THREADS; i++; star + i) star[i] += i + 1;
    upc_forall(i = 0; i < N * THREADS; i++; &st[i].y) {
        st[i].x += i;
        st[i].y++;
    }
    upc_barrier;
    for (i = 0; i < N * THREADS; i++) {
        CHECK_EQ(c[i], i + 1);
        CHECK(b[i] == i + 1);
        CHECK_EQ(star[i], i + 1);
        CHECK(st[i].x == i && st[i].y == 1);
    }
    for (i = 0; i < N; i++)
        CHECK_EQ(s[i], 1);
    upc_barrier;
    mine = 0;
    upc_forall(shared[7] double *p = b; p < b + N * THREADS; p++; p) {
        CHECK_EQ(upc_threadof(p), MYTHREAD);
        CHECK(*p == p - b + 1);
        mine++;
    }
    int counted = 0;
    for (i = 0; i < N * THREADS; i++)
        counted += upc_threadof(&b[i]) == MYTHREAD;
    CHECK_EQ(mine, counted);
    mine = 0;
    upc_forall(i = 0; i < N * THREADS; i++; (shared void *)&c[i]) mine++;
    CHECK_EQ(mine, N);
    mine = 0;
    upc_forall(i = 0; i < 10; i++; (shared int *)0) mine++;
    CHECK_EQ(mine, MYTHREAD == 0 ? 10 : 0);
    return 0;
}
