// A division by zero is reported with function, file and line.
//: flags -g -O0
//: threads 1 3
//: expect-err SIGFPE
//: expect-err in share,
//: expect-err arithmetic_line.upc:10
#include <upc.h>
shared int parts[THREADS];
static int share(int whole) {
    return whole / parts[MYTHREAD];
}
int main(void) {
    int each = MYTHREAD == THREADS - 1 ? share(10) : 0;
    upc_barrier;
    return each;
}
