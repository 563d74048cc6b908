// gcc's nested functions, with shared accesses inside.
//: cc gcc
#include "../../check.h"
shared int a[THREADS];
int main(void) {
    int base = 10;
    int get(int i) { return a[i] + base; }
    a[MYTHREAD] = MYTHREAD;
    upc_barrier;
    CHECK_EQ(get(THREADS - 1), 9 + THREADS);
    return 0;
}
