#include <upc_relaxed.h>
#include <stdio.h>
shared long sum;
upc_lock_t *lock[2];
int main(void) {
    lock[0] = upc_all_lock_alloc();
    lock[1] = upc_all_lock_alloc();
    upc_barrier;
    upc_lock(lock[0]);
    sum += 5;
    upc_unlock(lock[0]);
    upc_barrier;
    return sum < 0;
}
