// A thread that has returned from main still serves: its shared memory lives until all have ended.
//: clause 5.1.2.2 p1
#include <stdio.h>
#include <unistd.h>
#include "../../check.h"

shared[] int *shared where;

int main(void) {
    if (MYTHREAD == 0) {
        shared[] int *p = (shared[] int *)upc_alloc(sizeof(int));
        *p = 17;
        where = p;
    }
    upc_barrier;
    if (MYTHREAD == 0)
        return 0;
    usleep(20000 * MYTHREAD);
    CHECK_EQ(*where, 17);
    return 0;
}
