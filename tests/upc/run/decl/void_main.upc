// The status of a main without a result is 0, in whichever way it ends.
//: clause 5.1.2.2 p1
//: args x
#include "../../check.h"

void main(int argc, char **argv) {
    CHECK_EQ(argc, 2);
    CHECK(argv[1][0] == 'x' && argv[2] == NULL);
    upc_barrier;
    if (MYTHREAD == 0)
        return;
    argc = 77;
}
