// Structures and unions that hold pointers-to-shared, passed and returned by value, in automatic and static
// initialisers, compound literals, arrays, conditional expressions, and through C's own functions.
#include <stdarg.h>
#include <string.h>
#include "../../check.h"

shared[4] int a[16 * THREADS];
shared int c[16 * THREADS];
struct range {
    shared[4] int *low, *high;
    int n;
};
union any {
    shared int *thin;
    shared[4] int *wide;
    long bits;
};

static struct range make(int from, int n) { return (struct range){&a[from], &a[from + n], n}; }
static long sum(struct range r) {
    long total = 0;
    while (r.low < r.high)
        total += *r.low++;
    return total;
}
static shared int *last_of(int n, ...) {
    va_list list;
    va_start(list, n);
    shared int *p = NULL;
    while (n-- > 0)
        p = va_arg(list, shared int *);
    shared[4] int *w = va_arg(list, shared[4] int *);
    va_end(list);
    CHECK(w == &a[5]);
    CHECK_EQ(upc_phaseof(w), 1);
    return p;
}
static int by_distance(const void *x, const void *y) {
    shared[4] int *const *p = x, *const *q = y;
    return (int)(*p - *q);
}
static struct range fixed = {a + 1, .n = 3, .high = &a[4]};
static struct range table[] = {[1] = {&a[0], &a[2], 2}};

int main(void) {
    upc_forall(int i = 0; i < 16 * THREADS; i++; &a[i]) a[i] = i;
    upc_barrier;
    CHECK_EQ(sum(make(2, 5)), 2 + 3 + 4 + 5 + 6);
    CHECK_EQ(make(3, 4).low[1], 4);
    CHECK_EQ(*make(3, 4).high, 7);
    CHECK_EQ(sum(fixed), 6);
    CHECK(table[0].low == NULL && table[1].high == &a[2]);
    struct range local = {&a[5], a + 7, 2}, other = local, zero = {0};
    CHECK_EQ(sum(other), 11);
    CHECK(zero.low == NULL && !zero.high);
    struct range many[3] = {make(0, 1), {&a[1], &a[3]}, local};
    CHECK_EQ(sum(many[1]) + sum(many[2]), 3 + 11);
    CHECK_EQ(sum(THREADS ? local : zero), 11);
    shared[4] int *pointers[] = {&a[9], &a[2], &a[14], a, &a[7]};
    qsort(pointers, 5, sizeof pointers[0], by_distance);
    for (int i = 0, wanted[] = {0, 2, 7, 9, 14}; i < 5; i++)
        CHECK_EQ(*pointers[i], wanted[i]);
    shared[4] int *copy;
    memcpy(&copy, &pointers[3], sizeof copy);
    CHECK(copy == &a[9] && upc_phaseof(copy) == 1);
    union any u = {.thin = &c[3]};
    CHECK(u.thin == &c[3]);
    u.wide = &a[6];
    CHECK_EQ(*u.wide, 6);
    CHECK(last_of(3, &c[0], &c[1], &c[2], &a[5]) == &c[2]);
    CHECK(((shared int *[]){&c[4], &c[5]})[1] == &c[5]);
    shared int **heap = malloc(3 * sizeof *heap);
    for (int i = 0; i < 3; i++)
        heap[i] = &c[i];
    CHECK(heap[2] == &c[2] && upc_threadof(heap[1]) == 1 % THREADS);
    free(heap);
    return 0;
}
