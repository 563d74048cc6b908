#include <upc_relaxed.h>
#include <stdio.h>
shared int stock = 10;
upc_lock_t *lock;
int main(void) {
    lock = upc_all_lock_alloc();
    int seen = 0;
    if (MYTHREAD == 0) {
        upc_lock(lock);
        seen = stock;
        upc_unlock(lock);
    } else {
        upc_lock(lock);
        stock--;
        upc_unlock(lock);
    }
    upc_barrier;
    return seen > 10;
}
