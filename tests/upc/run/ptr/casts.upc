// Casts between pointers-to-shared that differ in element size or block size give phase 0 and keep thread
// and address; qualifiers do not matter.
//: clause 6.4.3 p2
//: clause 6.5.1.1 p13
#include "../../check.h"

shared[4] int a[16 * THREADS];

int main(void) {
    for (int i = 0; i < 16 * THREADS; i++) {
        shared[4] int *p = &a[i];
        shared[8] int *other_block = (shared[8] int *)p;
        shared[4] char *other_size = (shared[4] char *)p;
        shared[4] unsigned *same = (shared[4] unsigned *)p;
        shared int *cyclic = (shared int *)p;
        shared[] int *solid = (shared[] int *)p;
        shared[4] const volatile int *qualified = p;
        shared[4] struct unknown *incomplete = (shared[4] struct unknown *)p;
        shared[4] int(*rows)[2] = (shared[4] int(*)[2])p, (*row)[1] = (shared[4] int(*)[1])p;
        CHECK_EQ(upc_phaseof(rows), 0);
        CHECK_EQ(upc_phaseof(row), i % 4);
        CHECK_EQ(upc_phaseof(other_block), 0);
        CHECK_EQ(upc_phaseof(other_size), 0);
        CHECK_EQ(upc_phaseof(same), i % 4);
        CHECK_EQ(upc_phaseof(cyclic), 0);
        CHECK_EQ(upc_phaseof(solid), 0);
        CHECK_EQ(upc_phaseof(qualified), i % 4);
        CHECK_EQ(upc_phaseof(incomplete), 0);
        CHECK_EQ(upc_threadof(other_block), i / 4 % THREADS);
        CHECK_EQ(upc_threadof(other_size), i / 4 % THREADS);
        CHECK_EQ(upc_threadof(cyclic), i / 4 % THREADS);
        CHECK_EQ(upc_threadof(solid), i / 4 % THREADS);
        CHECK_EQ(upc_addrfield(other_block), upc_addrfield(p));
        CHECK_EQ(upc_addrfield(solid), upc_addrfield(p));
        CHECK((shared void *)solid == (shared void *)p);
        /* from phase 0 the arithmetic of the new type counts whole blocks */
        CHECK_EQ(upc_threadof(other_block + 7), i / 4 % THREADS);
        CHECK_EQ(upc_threadof(other_block + 8), (i / 4 + 1) % THREADS);
        CHECK_EQ(upc_threadof(cyclic + 1), (i / 4 + 1) % THREADS);
        CHECK_EQ(upc_addrfield(solid + 5) - upc_addrfield(solid), 20);
    }
    return 0;
}
