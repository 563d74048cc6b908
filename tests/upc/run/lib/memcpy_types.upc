// Block transfers of typed arrays: a thread's whole part at once, structures, parts beyond one block.
//: clause 7.2.5.2 p3
//: clause 6.4.2 p6
#include "../../check.h"

struct item {
    char c;
    double d;
};
shared struct item items[6 * THREADS];
shared[4] int blocked[12 * THREADS];
shared double result[THREADS];

int main(void) {
    for (int i = 0; i < 6; i++)
        items[i * THREADS + MYTHREAD] = (struct item){'a' + i, MYTHREAD + i / 8.0};
    int own[12];
    for (int i = 0; i < 12; i++)
        own[i] = 100 * MYTHREAD + i;
    upc_memput(&blocked[4 * MYTHREAD], own, sizeof own); /* three blocks, adjacent on the thread */
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    struct item got[6];
    upc_memget(got, &items[next], sizeof got);
    for (int i = 0; i < 6; i++)
        CHECK(got[i].c == 'a' + i && got[i].d == next + i / 8.0);
    for (int i = 0; i < 12; i++)
        CHECK_EQ(blocked[(i / 4 * THREADS + next) * 4 + i % 4], 100 * next + i);
    double x = 1.5;
    upc_memput(&result[next], &x, sizeof x);
    upc_barrier;
    CHECK(result[MYTHREAD] == 1.5);
    return 0;
}
