// An access through a null pointer-to-shared ends the job.
//: threads 1 2
//: expect-err null pointer
#include <upc.h>
shared int *p;
int main(void) {
    if (MYTHREAD == THREADS - 1)
        *p = 1;
    upc_barrier;
    return 0;
}
