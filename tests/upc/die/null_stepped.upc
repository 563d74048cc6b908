// A null pointer-to-shared that was stepped to another thread is reported, even if that thread's host meets
// it in the progress thread.
//: threads 4
//: static 4
//: layout 1 3
//: expect-err SIGSEGV) writing address
//: expect-err the address results from a null pointer-to-shared that was moved to thread 1
#include <unistd.h>
#include <upc.h>

shared char *p;

int main(void) {
    upc_barrier;
    if (MYTHREAD == 0)
        p[1] = 1;
    if (MYTHREAD == 1)
        usleep(300000);
    upc_barrier;
    return 0;
}
