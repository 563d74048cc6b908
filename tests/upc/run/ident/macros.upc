// The predefined macros of any environment, before any header.
//: clause 6.7.2 p1
//: clause 6.3.3 p1
#if __UPC__ != 1
#error __UPC__ must be 1
#endif
#if __UPC_VERSION__ != 201311L
#error __UPC_VERSION__ must be 201311L
#endif
#if UPC_MAX_BLOCK_SIZE < 65536
#error UPC_MAX_BLOCK_SIZE must be usable in #if
#endif
#include "../../check.h"

shared[UPC_MAX_BLOCK_SIZE] char *largest;

int main(void) {
    CHECK(UPC_MAX_BLOCK_SIZE > 0);
    CHECK_EQ(upc_blocksizeof(*largest), UPC_MAX_BLOCK_SIZE);
    return 0;
}
