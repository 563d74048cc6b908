// Threads come to one barrier with different values. Repaired.
#include <stdio.h>
#include <upc.h>

int main(void) {
    if (MYTHREAD > 0) {
        puts("worker");
        upc_barrier 1;
    } else {
        puts("master");
        upc_barrier 1;
    }
    return 0;
}
