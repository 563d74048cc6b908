// Affinity `continue` and none at all: every thread runs every iteration.
//: clause 6.6.2 p9
//: clause 6.6.2 p3
#include "../../check.h"

int main(void) {
    int i, sum = 0;
    upc_forall(i = 0; i < 10; i++; continue) sum += i;
    CHECK_EQ(sum, 45);
    upc_forall(i = 0; i < 10; i++;) sum += i;
    CHECK_EQ(sum, 90);
    upc_forall(int j = 0; j < 10; j++;) sum += j;
    CHECK_EQ(sum, 135);
    i = 3;
    upc_forall(; i < 6; i++; continue) sum++;
    CHECK_EQ(sum, 138);
    CHECK_EQ(i, 6);
    return 0;
}
