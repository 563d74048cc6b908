#include "common.h"
#include "../../../check.h"
int flag_of_other = 7;
void other(void) {
    int next = (MYTHREAD + 1) % THREADS;
    CHECK_EQ(records[next].key, next + 1);
    CHECK_EQ(blocks[4 * next + 3], next);
    CHECK(name[0] == 'c' && name[6] == 0);
    CHECK(first == blocks);
    CHECK(own == MYTHREAD && table[9] == 0.5);
    CHECK_EQ(large[1][next], 3 * next);
    upc_lock(lock);
    total++;
    upc_unlock(lock);
    own += 100;
    if (MYTHREAD == THREADS - 1)
        flag = flag_of_other;
}
