// Two threads take two locks in both orders.
// finds: 18: locks `b` and `a` are taken in both orders
#include <upc.h>

shared int from, to;

int main(void) {
    upc_lock_t *a = upc_all_lock_alloc(), *b = upc_all_lock_alloc();
    if (MYTHREAD == 0) {
        upc_lock(a);
        upc_lock(b);
        from--;
        to++;
        upc_unlock(b);
        upc_unlock(a);
    } else {
        upc_lock(b);
        upc_lock(a);
        from++;
        to--;
        upc_unlock(a);
        upc_unlock(b);
    }
    return 0;
}
