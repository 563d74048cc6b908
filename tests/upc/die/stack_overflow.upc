// A stack overflow is reported as such, with the limit and the function that has filled the stack.
//: threads 1 2
//: expect-err stack overflow
//: expect-err ulimit -s
//: expect-err in descend,
#include <upc.h>
int descend(int n) {
    volatile char frame[4096];
    frame[0] = (char)n;
    return n < 0 ? 0 : descend(n + 1) + frame[0];
}
int main(void) {
    if (MYTHREAD == THREADS - 1)
        return descend(1) == 3;
    upc_barrier;
    return 0;
}
