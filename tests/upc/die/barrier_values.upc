// Barrier values that differ end the program, and the message has both.
//: clause 6.6.1 p7
//: threads 2 4
//: expect-err barrier_values.upc:11
//: expect-err barrier_values.upc:13
#include <upc.h>
#include <stdlib.h>
int main(void) {
    upc_barrier 5;
    if (MYTHREAD == 1)
        upc_barrier 7;
    else
        upc_barrier 8;
    return 0;
}
