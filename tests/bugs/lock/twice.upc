// A thread takes a lock that it holds.
// finds: 12: lock `lock` is taken twice
#include <upc.h>

upc_lock_t *lock;
shared int count;

int main(void) {
    lock = upc_all_lock_alloc();
    upc_lock(lock);
    count++;
    upc_lock(lock);
    return 0;
}
