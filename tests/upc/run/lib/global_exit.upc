// upc_global_exit ends all threads with its status, wherever they are, and flushes their output.
//: clause 7.2.1 p1
//: clause 7.2.1 p2
//: exit 7
//: expect-out printed before the end
#include <stdio.h>
#include <upc.h>

int main(void) {
    if (MYTHREAD == THREADS - 1) {
        printf("printed before the end");
        upc_global_exit(7);
    }
    for (;;)
        upc_barrier;
}
