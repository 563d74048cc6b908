// An allocation that fails returns a null pointer-to-shared, and the program can go on.
//: clause 7.2.2 p1
//: threads 1 3
#include "../../check.h"

int main(void) {
    shared void *p = upc_alloc((size_t)1 << 46);
    CHECK(p == NULL);
    p = upc_global_alloc(THREADS, (size_t)1 << 46);
    CHECK(p == NULL);
    p = upc_alloc((size_t)-1);
    CHECK(p == NULL);
    p = upc_global_alloc((size_t)1 << 33, (size_t)1 << 33); /* the product overflows */
    CHECK(p == NULL);
    p = upc_alloc(100);
    CHECK(p != NULL);
    upc_free(p);
    return 0;
}
