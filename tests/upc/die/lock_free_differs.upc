// upc_all_lock_free has the same argument on all threads.
//: threads 2 4 8
//: env MERIDIAN_CHECK=1
//: expect-err upc_all_lock_free: the arguments have to be the same on all threads
//: expect-err lock_free_differs.upc:9
#include <upc.h>
int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_all_lock_free(MYTHREAD ? lock : NULL);
    return 0;
}
