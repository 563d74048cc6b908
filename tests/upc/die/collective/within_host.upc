// A thread is in a barrier while another one of its host is in a collective call: also in a job of several
// hosts, in which the threads of a host first wait for each other.
//: clause 7.4 p2
//: threads 2 4
//: layout 2 1
//: layout 1 3
//: expect-err barrier mismatch
//: expect-err called upc_all_broadcast
#include <upc.h>
#include <upc_collective.h>
shared int dst[THREADS];
shared[] int src[1];
int main(void) {
    if (MYTHREAD < THREADS - 1)
        upc_all_broadcast(dst, src, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_barrier;
    return 0;
}
