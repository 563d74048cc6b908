#include <upc_relaxed.h>
#include <stdio.h>
shared int total;
int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_lock(lock);
    total += MYTHREAD;
    upc_unlock(lock);
    upc_barrier;
    return total < 0;
}
