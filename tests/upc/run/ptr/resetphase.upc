// upc_resetphase: same thread and address, phase 0; upc_addrfield grows with the address.
//: clause 7.2.3.3 p1
//: clause 7.2.3.3 p2
//: clause 7.2.3.4 p1
//: clause 7.2.3.4 p2
//: clause 7.2.3.1 p1
//: clause 7.2.3.1 p3
//: clause 7.2.3.2 p1
//: clause 7.2.3.2 p3
#include <stddef.h>
#include "../../check.h"

shared[9] int a[27 * THREADS];

int main(void) {
    for (int i = 0; i < 27 * THREADS; i++) {
        shared void *r = upc_resetphase(&a[i]);
        CHECK_EQ(upc_phaseof(r), 0);
        CHECK_EQ(upc_threadof(r), upc_threadof(&a[i]));
        CHECK_EQ(upc_addrfield(r), upc_addrfield(&a[i]));
        CHECK(r == &a[i]);
        if (i % 9)
            CHECK_EQ(upc_addrfield(&a[i]) - upc_addrfield(&a[i - 1]), sizeof(int));
    }
    CHECK_EQ(upc_threadof((shared void *)0), 0);
    CHECK_EQ(upc_phaseof((shared void *)0), 0);
    CHECK(upc_resetphase(NULL) == NULL);
    CHECK(_Generic(upc_threadof(a), size_t : 1, default : 0));
    CHECK(_Generic(upc_phaseof(a), size_t : 1, default : 0));
    CHECK(_Generic(upc_addrfield(a), size_t : 1, default : 0));
    CHECK_EQ(upc_phaseof(&a), 0);
    return 0;
}
