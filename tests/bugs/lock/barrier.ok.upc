// All threads take a lock, and wait for each other before they unlock it. Repaired.
#include <stdio.h>
#include <upc.h>

upc_lock_t *lock;
shared int count;

int main(void) {
    lock = upc_all_lock_alloc();
    upc_lock(lock);
    count++;
    upc_unlock(lock);
    upc_barrier;
    printf("%d\n", count);
    return 0;
}
