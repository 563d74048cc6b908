// An iteration goes on with the next one without unlocking. Repaired.
#include <upc.h>

#define N 8

upc_lock_t *lock;
shared [] int cells[N];

int main(void) {
    lock = upc_all_lock_alloc();
    for (int i = 0; i < N; i++) {
        upc_lock(lock);
        if (cells[i] == 0)
            cells[i]++;
        upc_unlock(lock);
    }
    return 0;
}
