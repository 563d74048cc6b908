//: clause 6.4.2 p3
// Functions with variable arguments whose last parameter is a pointer-to-shared, or that get some.
#include "../../check.h"
#include <stdarg.h>

shared [4] int a[8 * THREADS];
shared int c[8 * THREADS];

static long sum(shared [4] int *first, ...) {
    va_list list, again;
    va_start(list, first);
    va_copy(again, list);
    long total = 0, twice = 0;
    for (shared [4] int *p = first; p; p = va_arg(list, shared [4] int *))
        total += *p;
    for (shared [4] int *p = first; p; p = va_arg(again, shared [4] int *))
        twice += 2 * *p;
    va_end(again);
    va_end(list);
    CHECK_EQ(twice, 2 * total);
    return total;
}

static shared int *pick(shared int *shared_word, int n, ...) {
    va_list list;
    va_start(list, n);
    while (n--)
        shared_word = va_arg(list, shared int *);
    va_end(list);
    return shared_word;
}

static int last(shared void *anything, ...) {
    va_list list;
    va_start(list, anything);
    shared void *other = va_arg(list, shared void *);
    int phase = va_arg(list, int);
    va_end(list);
    CHECK_EQ(upc_phaseof(other), phase);
    return (int)upc_threadof(anything);
}

int main(void) {
    upc_forall(int i = 0; i < 8 * THREADS; i++; &a[i]) a[i] = i;
    upc_forall(int i = 0; i < 8 * THREADS; i++; &c[i]) c[i] = 3 * i;
    upc_barrier;
    CHECK_EQ(sum(&a[1], &a[2], &a[7], (shared [4] int *)NULL), 10);
    CHECK_EQ(*pick(c, 3, &c[1], &c[2], &c[THREADS]), 3 * THREADS);
    CHECK_EQ(last(&c[MYTHREAD], (shared void *)&a[6], 2), MYTHREAD);
    return 0;
}
