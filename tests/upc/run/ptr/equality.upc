// Equality ignores the phase; null compares with 0, NULL and ! and with conditions.
//: clause 6.4.2 p7
//: clause 6.4.3 p1
#include <stddef.h>
#include "../../check.h"

shared[4] int a[8 * THREADS];
shared int c[THREADS];

int main(void) {
    shared[4] int *p = &a[3];
    shared[4] int *q = (shared[4] int *)upc_resetphase(p);
    CHECK_EQ(upc_phaseof(p), 3);
    CHECK_EQ(upc_phaseof(q), 0);
    CHECK(p == q && !(p != q));
    CHECK(p != &a[2]);

    shared[4] int *null4 = 0;
    shared int *null1 = NULL;
    shared[] int *null0 = (void *)0;
    shared void *nullv = (shared void *)0;
    shared[9] char *cast = (shared[9] char *)NULL;
    CHECK(null4 == 0 && null1 == NULL && null0 == 0 && nullv == NULL && cast == 0);
    CHECK(!null4 && !null1 && !null0 && !nullv && !cast);
    CHECK(0 == null4 && NULL != p && p);
    CHECK(nullv == null4 && nullv == null1 && nullv == null0);
    if (null1)
        CHECK(0);
    while (nullv)
        CHECK(0);
    for (; null0;)
        CHECK(0);
    do
        p = q;
    while (cast);
    CHECK((p ? 1 : 0) && (null4 ? 0 : 1));
    CHECK(p && c && &c[THREADS - 1]);
    CHECK((null1 || nullv) == 0 && (p || null1) == 1);
    _Bool yes = p, no = null0;
    CHECK(yes && !no);
    CHECK_EQ(upc_threadof(nullv) + upc_phaseof(nullv), 0);
    static shared int *starts_null;
    CHECK(starts_null == NULL);
    shared void *v = &a[3];
    CHECK(v == p && p == v && v != &c[0]);
    return 0;
}
