// upc_global_exit by one thread while the others compute, wait in a barrier, or wait for a lock.
//: clause 7.2.1 p2
//: exit 42
//: expect-out before the end
#include "../../check.h"

shared int hint;
strict shared int flag;

static void finish(void) { printf("must not be seen\n"); }

int main(void) {
    atexit(finish);
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == THREADS - 1) {
        upc_lock(lock);
        printf("before the end\n");
        fflush(stdout);
        flag = 1;
        for (int i = 0; i < 1000; i++)
            hint = i;
        upc_global_exit(42);
    }
    while (!flag)
        ;
    switch (MYTHREAD % 3) {
    case 0: upc_barrier 7; break;
    case 1: upc_lock(lock); break;
    default:
        for (;;)
            hint++;
    }
    return 3;
}
