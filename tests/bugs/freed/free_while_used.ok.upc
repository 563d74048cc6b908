#include <upc_relaxed.h>
#include <stdio.h>
int main(void) {
    shared int *p = upc_all_alloc(THREADS, sizeof(int));
    p[MYTHREAD] = 1;
    upc_barrier;
    int bad = p[0] == 2;
    upc_all_free(p);
    return bad;
}
