// upc_blocksizeof and upc_elemsizeof are integer constants: array bounds, enumerators, case labels.
//: clause 6.4.1.3 p2
//: clause 6.4.1.4 p2
//: clause 6.4.1.2 p2
#include "../../check.h"

shared[6] double a[6 * THREADS];
shared[] int solid[10];
enum { BLOCK = upc_blocksizeof(a), ELEMENT = upc_elemsizeof(a), LOCAL = upc_localsizeof(a) };
static char buffer[upc_blocksizeof(a)];
_Static_assert(upc_blocksizeof(solid) == 0, "indefinite");

int main(void) {
    CHECK_EQ(BLOCK, 6);
    CHECK_EQ(ELEMENT, 8);
    CHECK_EQ(LOCAL, 48);
    CHECK_EQ(sizeof buffer, 6);
    switch (6) {
    case upc_blocksizeof(a): break;
    default: CHECK(0);
    }
    return 0;
}
