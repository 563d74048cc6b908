// A fault is reported with function, file and line.
//: flags -g -O0
//: threads 1 3
//: expect-err SIGSEGV
//: expect-err in follow,
//: expect-err segfault_line.upc:10
#include <upc.h>
int *volatile nowhere = (int *)16;
static void follow(int *p) {
    *p = 1;
}
int main(void) {
    if (MYTHREAD == THREADS - 1)
        follow(nowhere);
    upc_barrier;
    return 0;
}
