// notify, barrier, wait: the second notify before a wait is an error at run time.
//: clause 6.6.1 p10
//: clause 6.6.1 p3
//: threads 1 3
//: expect-err upc_notify
#include <upc.h>
int main(void) {
    upc_notify;
    upc_barrier;
    upc_wait;
    return 0;
}
