// Several UPC files and a C file, linked into one program: shared objects extern in one and defined in
// another, statics of the same name, functions across, initialisers that point into other files.
//: clause 6.5 p5
//: clause 5.1.1.1 p1
#include "../../../check.h"
#include "parts.h"

static shared int private_to_file[THREADS];
shared int *into_other = &elsewhere[1];
int plain_global = 11;

int main(void) {
    private_to_file[MYTHREAD] = 1;
    elsewhere[MYTHREAD] = MYTHREAD * 2;
    set_other(5);
    upc_barrier;
    CHECK_EQ(get_other(), 5 + THREADS - 1);
    CHECK_EQ(private_to_file[MYTHREAD], 1);
    for (int t = 0; t < THREADS; t++)
        CHECK_EQ(elsewhere[t], 2 * t);
    CHECK_EQ(sum_elsewhere(), THREADS * (THREADS - 1));
    CHECK(into_other == other_address(1));
    CHECK_EQ(c_add(plain_global, 1), 12);
    CHECK_EQ(c_calls(), 1);
    CHECK_EQ(inline_twice(&elsewhere[MYTHREAD]), 4 * MYTHREAD);
    CHECK_EQ(other_inline(MYTHREAD), 4 * MYTHREAD);
    blocked[3 * MYTHREAD + 2] = 1.5;
    upc_barrier;
    CHECK(blocked_at(3 * ((MYTHREAD + 1) % THREADS) + 2) == 1.5);
    CHECK_EQ(upc_blocksizeof(blocked), 3);
    return 0;
}
