// running finds: 11: use of freed memory
#include <upc_relaxed.h>
#include <stdio.h>
int main(void) {
    shared int *p = upc_all_alloc(THREADS, sizeof(int));
    p[MYTHREAD] = 1;
    upc_barrier;
    if (MYTHREAD == 0)
        upc_free(p);
    upc_barrier;
    return p[(MYTHREAD + 1) % THREADS] == 2;
}
