// All threads take a lock, and wait for each other before they unlock it.
// finds: 13: lock `lock` is held, and all threads take it
#include <stdio.h>
#include <upc.h>

upc_lock_t *lock;
shared int count;

int main(void) {
    lock = upc_all_lock_alloc();
    upc_lock(lock);
    count++;
    upc_barrier;
    upc_unlock(lock);
    printf("%d\n", count);
    return 0;
}
