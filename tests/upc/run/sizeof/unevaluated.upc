// The operands of the size operators are not evaluated.
//: clause 6.4.1.2 p4
//: clause 6.4.1.3 p5
//: clause 6.4.1.4 p4
#include "../../check.h"

shared[4] int a[4 * THREADS];
static int calls;
static shared[4] int *next(void) {
    calls++;
    return a;
}

int main(void) {
    int i = 0;
    CHECK_EQ(upc_localsizeof(a[i++]) >= sizeof(int), 1);
    CHECK_EQ(upc_blocksizeof(a[i++]), 4);
    CHECK_EQ(upc_elemsizeof(a[i++]), sizeof(int));
    CHECK_EQ(sizeof(a[i++]), sizeof(int));
    CHECK_EQ(upc_blocksizeof(*next()), 4);
    CHECK_EQ(upc_elemsizeof(*next()), sizeof(int));
    CHECK_EQ(i, 0);
    CHECK_EQ(calls, 0);
    return 0;
}
