#include <upc_relaxed.h>
#include <stdio.h>
shared int edge[THREADS];
int main(void) {
    edge[MYTHREAD] = 1;
    upc_notify;
    int own = edge[MYTHREAD];
    upc_wait;
    int left = edge[(MYTHREAD + THREADS - 1) % THREADS];
    return own + left > 2;
}
