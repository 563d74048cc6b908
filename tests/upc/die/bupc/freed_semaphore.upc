// A semaphore that has been freed.
//: expect-err bupc_sem_wait: the pointer
#include <upc.h>
#include <bupc_extensions.h>

int main(void) {
    bupc_sem_t *s = bupc_sem_alloc(BUPC_SEM_INTEGER);
    bupc_sem_free(s);
    bupc_sem_wait(s);
    return 0;
}
