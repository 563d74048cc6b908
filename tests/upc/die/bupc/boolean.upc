// More at once than a boolean semaphore holds.
//: expect-err bupc_sem_postN: 2 at once is more than a boolean semaphore holds
#include <upc.h>
#include <bupc_extensions.h>

int main(void) {
    bupc_sem_postN(bupc_sem_alloc(BUPC_SEM_BOOLEAN), 2);
    return 0;
}
