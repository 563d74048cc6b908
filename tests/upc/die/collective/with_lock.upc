// A collective copy against the allocation of a lock.
//: clause 7.4 p2
//: threads 2 4 8
//: env MERIDIAN_CHECK=1
//: expect-err thread 0 called upc_all_lock_alloc
//: expect-err called upc_all_broadcast
#include <upc.h>
#include <upc_collective.h>
shared[16] char dst[16 * THREADS], src[16 * THREADS];
int main(void) {
    if (MYTHREAD == 0)
        upc_all_lock_alloc();
    else
        upc_all_broadcast(dst, src, 1, 0);
    return 0;
}
