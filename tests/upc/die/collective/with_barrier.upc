// A collective copy against a barrier.
//: clause 7.4 p2
//: threads 2 4 8
//: env MERIDIAN_CHECK=1
//: expect-err barrier mismatch
//: expect-err called upc_all_broadcast
#include <upc.h>
#include <upc_collective.h>
shared[16] char dst[16 * THREADS], src[16 * THREADS];
int main(void) {
    if (MYTHREAD)
        upc_all_broadcast(dst, src, 1, 0);
    else
        upc_barrier;
    return 0;
}
