// running finds: 8: block of the heap
#include <upc_relaxed.h>
#include <stdio.h>
int main(void) {
    shared int *p = upc_all_alloc(THREADS, sizeof(int));
    p[MYTHREAD] = 1;
    upc_barrier;
    int bad = p[0] == 2;
    if (MYTHREAD == 0)
        upc_free(p);
    return bad;
}
