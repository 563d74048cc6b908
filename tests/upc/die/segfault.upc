// A thread that follows a bad pointer ends the job; the message names the thread and the signal.
//: threads 2 4
//: expect-err thread 1
//: expect-err SIGSEGV
#include <upc.h>
int *volatile nowhere = (int *)16;
int main(void) {
    if (MYTHREAD == 1)
        *nowhere = 1;
    upc_barrier;
    return 0;
}
