// A typedef in a block names a shared array of variable length: its length is the value at the typedef.
#include "../../check.h"

shared [] int solid[40];
shared [3] int blocks[12 * THREADS];

static int sizes(int n) {
    typedef shared [] int A[n];
    typedef shared [3] int (*P)[4][n];
    n = 2;
    A *a = &solid;
    P p = (P)&blocks;
    CHECK(sizeof(A) == sizeof *a && sizeof *a == 5 * sizeof(int) && sizeof *p == 20 * sizeof(int));
    CHECK(&(*a)[1] == &solid[1] && &a[2][1] == &solid[11]);
    return (int)(upc_elemsizeof(A) + sizeof(*p) / sizeof((*p)[0]));
}

int main(void) {
    CHECK_EQ(sizes(5), sizeof(int) + 4);
    return 0;
}
