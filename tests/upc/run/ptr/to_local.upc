// Casts to pointers-to-local: same object both ways, same distances, no padding between blocks, null stays
// null.
//: clause 6.4.2 p5
//: clause 6.4.2 p6
//: clause 6.4.3 p5
//: clause 6.4.3 p6
#include "../../check.h"

shared[3] int a[12 * THREADS];
shared double c[7 * THREADS];
shared struct item {
    char tag;
    long value;
} items[5 * THREADS];

int main(void) {
    int *mine = (int *)&a[3 * MYTHREAD];
    for (int i = 0; i < 12; i++)
        mine[i] = 100 * MYTHREAD + i;
    double *column = (double *)&c[MYTHREAD];
    for (int i = 0; i < 7; i++)
        column[i] = MYTHREAD + i * 0.5;
    struct item *item = (struct item *)&items[MYTHREAD];
    for (int i = 0; i < 5; i++) {
        item[i].tag = 'a' + i;
        item[i].value = MYTHREAD - i;
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < 12; i++)
            CHECK_EQ(a[(i / 3 * THREADS + t) * 3 + i % 3], 100 * t + i);
        for (int i = 0; i < 7; i++)
            CHECK(c[i * THREADS + t] == t + i * 0.5);
        for (int i = 0; i < 5; i++)
            CHECK(items[i * THREADS + t].tag == 'a' + i && items[i * THREADS + t].value == t - i);
    }
    upc_barrier;
    c[MYTHREAD] = -1;
    CHECK(column[0] == -1);
    int *first = (int *)&a[3 * MYTHREAD], *row2 = (int *)&a[3 * (THREADS + MYTHREAD)];
    CHECK_EQ(row2 - first, 3);
    shared[] int *s1 = (shared[] int *)&a[3 * MYTHREAD];
    shared[] int *s2 = (shared[] int *)&a[3 * (THREADS + MYTHREAD) + 2];
    CHECK((int *)s1 + (s2 - s1) == (int *)s2);
    shared int *null = 0;
    CHECK((int *)null == NULL);
    CHECK((void *)(shared void *)0 == NULL);
    shared[5] double *null5 = 0;
    CHECK((double *)null5 == NULL);
    const int *readable = (const int *)&a[3 * MYTHREAD];
    CHECK_EQ(*readable, 100 * MYTHREAD);
    return 0;
}
