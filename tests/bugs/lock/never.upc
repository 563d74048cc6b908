// A lock that is never unlocked: the first thread ends with it.
// finds: 11: lock `lock` is held, and all threads take it
#include <upc.h>

shared int count;

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_lock(lock);
    count++;
    return 0;
}
