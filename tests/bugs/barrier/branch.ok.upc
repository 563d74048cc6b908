// A barrier that thread 0 alone reaches, after it has written a value. Repaired.
#include <stdio.h>
#include <upc.h>

shared int size;

int main(void) {
    if (MYTHREAD == 0) {
        size = 100;
    }
    upc_barrier;
    printf("%d: %d\n", MYTHREAD, size);
    return 0;
}
