// Allocated memory is aligned for any type, for every requested size.
//: clause 7.2.2 p1
#include <stddef.h>
#include "../../check.h"

int main(void) {
    for (int i = 1; i < 200; i++) {
        shared void *p = upc_alloc(i), *q = upc_global_alloc(1, i);
        CHECK_EQ(upc_addrfield(p) % _Alignof(max_align_t), 0);
        CHECK_EQ(upc_addrfield(q) % _Alignof(max_align_t), 0);
        CHECK_EQ((size_t)(void *)p % _Alignof(max_align_t), 0);
        upc_free(q);
        if (i % 3)
            upc_free(p);
    }
    return 0;
}
