#include <upc_relaxed.h>
#include <stdio.h>
shared int a[THREADS];
int main(void) {
    a[MYTHREAD] = MYTHREAD + 1;
    upc_barrier;
    int next = a[(MYTHREAD + 1) % THREADS];
    return next < 0;
}
