// Pointers-to-shared as parameters and results, of every kind, through function pointers and recursion.
//: clause 6.5.2 p3
#include "../../check.h"

shared[5] int a[20 * THREADS];
shared int c[20 * THREADS];

static shared[5] int *advance(shared[5] int *p, int n) { return n == 0 ? p : advance(p + 1, n - 1); }
static int read(shared int *p) { return *p; }
static void write(shared int *p, int v) { *p = v; }
static shared int *pick(shared int *p, shared int *q, int first) { return first ? p : q; }
static long sum(shared[5] const int *p, int n) {
    long total = 0;
    while (n-- > 0)
        total += *p++;
    return total;
}
static int array_parameter(shared[5] int p[], int i) { return p[i]; }
static void fill(shared[5] int *from, shared[5] int *to) {
    while (from < to) {
        *from = from - a;
        from++;
    }
}
static void out(shared int **where, shared int *what) { *where = what; }
typedef int (*reader)(shared int *);

int main(void) {
    if (MYTHREAD == 0)
        fill(a, a + 20 * THREADS);
    upc_barrier;
    for (int i = 0; i < 20; i++) {
        CHECK_EQ(*advance(a, i), i);
        CHECK_EQ(upc_phaseof(advance(a, i)), i % 5);
        CHECK_EQ(array_parameter(a, i), i);
    }
    CHECK_EQ(sum(a + 3, 10), 75);
    reader r = read;
    write(&c[MYTHREAD], 5);
    CHECK_EQ(r(&c[MYTHREAD]), 5);
    CHECK_EQ((*r)(pick(&c[MYTHREAD], 0, 1)), 5);
    CHECK(pick(c, 0, 0) == NULL);
    *pick(&c[MYTHREAD + THREADS], c, 1) = 6;
    CHECK_EQ(c[MYTHREAD + THREADS], 6);
    shared int *p;
    out(&p, &c[MYTHREAD]);
    CHECK(p == &c[MYTHREAD]);
    return 0;
}
