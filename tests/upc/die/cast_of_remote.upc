// A pointer-to-local to an object of another host is followed.
//: threads 2 3
//: static 3
//: env MERIDIAN_REMOTE=1
//: expect-err cast to a pointer-to-local
#include <upc.h>
shared int x;
int main(void) {
    int *p = (int *)&x;
    if (MYTHREAD == 0)
        *p = 1;
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        *p += 1;
    upc_barrier;
    return 0;
}
