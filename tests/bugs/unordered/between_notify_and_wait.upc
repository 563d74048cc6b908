// running finds: 8: data race on edge[
#include <upc_relaxed.h>
#include <stdio.h>
shared int edge[THREADS];
int main(void) {
    edge[MYTHREAD] = 1;
    upc_notify;
    int left = edge[(MYTHREAD + THREADS - 1) % THREADS];
    upc_wait;
    return left > 1;
}
