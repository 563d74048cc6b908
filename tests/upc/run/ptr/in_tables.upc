// Pointers-to-shared that lie in shared arrays and structures, updated in place: +=, ++, --, through ->.
//: clause 6.4.2 p3
//: clause 6.4.3 p2
#include "../../check.h"

shared[3] int a[30 * THREADS];
shared int c[30 * THREADS];
shared[3] int *shared wide[THREADS];
shared int *shared[2] thin[2 * THREADS];
shared struct cursor {
    shared[3] int *at;
    shared struct cursor *next;
    shared[] int *solid[2];
    int n;
} cursors[THREADS];

int main(void) {
    int t = MYTHREAD;
    for (int i = t; i < 30 * THREADS; i += THREADS)
        a[i] = c[i] = i;
    upc_barrier;
    wide[t] = a;
    CHECK_EQ(*wide[t]++, 0);
    CHECK_EQ(*wide[t], 1);
    CHECK_EQ(*++wide[t], 2);
    wide[t] += 5;
    CHECK_EQ(*wide[t], 7);
    CHECK_EQ(upc_phaseof(wide[t]), 1);
    wide[t] -= 3;
    CHECK_EQ(*wide[t]--, 4);
    CHECK_EQ(wide[t][2], 5);
    CHECK_EQ(wide[t] - a, 3);
    CHECK(wide[t] > &a[2] && wide[t] == &a[3]);
    thin[2 * t] = thin[2 * t + 1] = &c[1];
    thin[2 * t] += 4;
    CHECK_EQ(*thin[2 * t], 5);
    CHECK_EQ(thin[2 * t] - thin[2 * t + 1], 4);
    CHECK_EQ(*--thin[2 * t], 4);
    CHECK_EQ(*(thin[2 * t] + 1), 5);
    CHECK_EQ(thin[2 * t + 1]++[0], 1);
    CHECK_EQ(thin[2 * t + 1]++[1], 3);

    shared struct cursor *p = &cursors[t];
    p->at = &a[4];
    p->next = &cursors[(t + 1) % THREADS];
    p->n = 0;
    upc_barrier;
    CHECK_EQ(*p->at++, 4);
    CHECK_EQ(*p->at, 5);
    CHECK_EQ(p->at[1], 6);
    CHECK_EQ(*(p->at -= 2), 3);
    CHECK_EQ((*p).at[0] + p[0].at[1], 7);
    upc_barrier;
    CHECK_EQ(*p->next->at, 3);
    CHECK(p->next->next == &cursors[(t + 2) % THREADS]);
    upc_barrier;
    p->next->n += 10 + t;
    p->next->next->at += 1;
    upc_barrier;
    CHECK_EQ(p->n, 10 + (t + THREADS - 1) % THREADS);
    CHECK_EQ(*p->at, 4);
    p->solid[1] = &p->n;
    *p->solid[1] = 77;
    CHECK_EQ(p->n, 77);
    int hops = 0;
    do
        hops++;
    while ((p = p->next) != &cursors[t]);
    CHECK_EQ(hops, THREADS);
    return 0;
}
