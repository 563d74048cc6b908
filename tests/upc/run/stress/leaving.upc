// Threads that all leave with a failure after a barrier first all come out of it, and their output is not
// lost: a thread's announcement reaches the others although it ends at once.
//: clause 6.6.1 p9
//: threads 4
//: exit 8
//: expect-out thread 0 is out
//: expect-out thread 1 is out
//: expect-out thread 2 is out
//: expect-out thread 3 is out
//: repeat 8
#include <stdio.h>
#include <upc.h>

int main(void) {
    upc_barrier;
    printf("thread %d is out\n", MYTHREAD);
    return 8;
}
