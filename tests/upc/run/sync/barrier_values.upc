// Values agree: constants, expressions, of any type that can be assigned to int, given by some threads only;
// the expression is evaluated once.
//: clause 6.6.1 p2
//: clause 6.6.1 p7
//: clause 6.6.1 p8
#include "../../check.h"

shared int shared_value;
enum e { A = 5 };

int main(void) {
    int n = 3, calls = 0;
    upc_barrier 1;
    upc_barrier n;
    upc_barrier n + 1;
    upc_barrier(n);
    upc_barrier calls++;
    CHECK_EQ(calls, 1);
    upc_barrier - 7;
    upc_barrier A;
    upc_barrier 'x';
    upc_barrier 2.9;
    upc_barrier(short) 9;
    upc_barrier 5000000000LL;
    upc_barrier shared_value;
    upc_barrier n ? 4 : 5;
    upc_barrier(n, 8);
    if (MYTHREAD % 2)
        upc_barrier 6;
    else
        upc_barrier;
    if (MYTHREAD == 0) {
        upc_notify 7;
        upc_wait;
    } else {
        upc_notify;
        upc_wait 7;
    }
    /* no notify had a value: no interruption */
    upc_notify;
    upc_wait MYTHREAD;
    upc_notify 3;
    upc_wait 3;
    return 0;
}
