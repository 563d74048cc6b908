// Threads that all leave with a failure behind a barrier come out of it first, all of them, and what they say
// is heard: what a thread has announced reaches the others though it ends at once.
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
