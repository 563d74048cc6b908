// The last thread has no right neighbour.
// finds: 8: index `MYTHREAD + 1` is, on the last thread, THREADS
#include <upc.h>

shared int a[THREADS];

int main(void) {
    a[MYTHREAD + 1] = MYTHREAD;
    return 0;
}
