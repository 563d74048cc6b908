// A lock that is never unlocked: the first thread ends with it. Repaired.
#include <upc.h>

shared int count;

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_lock(lock);
    count++;
    upc_unlock(lock);
    return 0;
}
