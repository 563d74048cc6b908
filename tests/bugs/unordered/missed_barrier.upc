// running finds: 7: data race on a[
#include <upc_relaxed.h>
#include <stdio.h>
shared int a[THREADS];
int main(void) {
    a[MYTHREAD] = MYTHREAD + 1;
    int next = a[(MYTHREAD + 1) % THREADS];
    upc_barrier;
    return next < 0;
}
