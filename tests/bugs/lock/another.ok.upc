// One lock is taken, another is unlocked. Repaired.
#include <upc.h>

upc_lock_t *rows, *columns;
shared int count;

static void add(int by) {
    upc_lock(rows);
    count += by;
    upc_unlock(rows);
}

int main(void) {
    rows = upc_all_lock_alloc();
    columns = upc_all_lock_alloc();
    add(1);
    return 0;
}
