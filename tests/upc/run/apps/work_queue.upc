// A work queue in shared memory with tasks that make new tasks; it ends when none is left or at work.
#include "../../check.h"

#define CAPACITY 4096
shared[] int tasks[CAPACITY];
shared int top, busy;
shared long done[THREADS];

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == 0) {
        tasks[0] = 9;
        top = 1;
    }
    upc_barrier;
    for (int idle = 0; !idle;) {
        int task = -1;
        upc_lock(lock);
        if (top > 0) {
            task = tasks[--top];
            busy++;
        } else if (busy == 0) {
            idle = 1;
        }
        upc_unlock(lock);
        if (task < 0)
            continue;
        done[MYTHREAD]++;
        upc_lock(lock);
        for (int child = 0; child < 2 && task > 0; child++)
            tasks[top++] = task - 1;
        busy--;
        upc_unlock(lock);
    }
    upc_barrier;
    long total = 0;
    for (int t = 0; t < THREADS; t++)
        total += done[t];
    CHECK_EQ(total, 1023);
    upc_all_lock_free(lock);
    return 0;
}
