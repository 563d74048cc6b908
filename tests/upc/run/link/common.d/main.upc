// An object that several files define without an initialiser, as headers of old programs do, is one object.
//: clause 5.1.1.1 p1
#include "common.h"
#include "../../../check.h"
int main(void) {
    lock = upc_all_lock_alloc();
    own = MYTHREAD;
    table[9] = 0.5;
    records[MYTHREAD].key = MYTHREAD + 1;
    if (MYTHREAD == 0) {
        upc_memput(name, "common", 7);
        first = &blocks[0];
    }
    for (int i = 0; i < 4; i++)
        blocks[4 * MYTHREAD + i] = MYTHREAD;
    large[1][MYTHREAD] = 3 * MYTHREAD;
    upc_barrier;
    other();
    upc_barrier;
    CHECK_EQ(total, THREADS);
    CHECK_EQ(own, 100 + MYTHREAD);
    CHECK_EQ(flag, 7);
    return 0;
}
