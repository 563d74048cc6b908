// Threads come to one barrier with different values.
// finds: 9: threads reach a `upc_barrier` with another value
#include <stdio.h>
#include <upc.h>

int main(void) {
    if (MYTHREAD > 0) {
        puts("worker");
        upc_barrier 2;
    } else {
        puts("master");
        upc_barrier 1;
    }
    return 0;
}
