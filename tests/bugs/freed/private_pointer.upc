// running finds: 9: use of freed memory
#include <upc_relaxed.h>
#include <stdio.h>
int main(void) {
    shared [] int *block = upc_alloc(64);
    int *mine = (int *)block;
    mine[3] = 4;
    upc_free(block);
    mine[3] = 5;
    upc_barrier;
    return 0;
}
