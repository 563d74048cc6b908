// A function returns without unlocking when the queue is full.
// finds: 13: lock `lock` is not unlocked on every path
#include <stdio.h>
#include <upc.h>

#define MOST 4

upc_lock_t *lock;
shared [] int queue[MOST];
shared int used;

static int put(int value) {
    upc_lock(lock);
    if (used == MOST)
        return 0;
    queue[used] = value;
    used++;
    upc_unlock(lock);
    return 1;
}

int main(void) {
    int done = 0;
    lock = upc_all_lock_alloc();
    for (int i = 0; i < MOST; i++)
        done += put(i);
    printf("%d\n", done);
    return 0;
}
