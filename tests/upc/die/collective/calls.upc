// Different calls at the same time.
//: clause 7.4 p2
//: threads 2 4 8
//: env MERIDIAN_CHECK=1
//: expect-err calls upc_all_gather (
//: expect-err calls.upc:13), while thread 0 calls upc_all_scatter (
//: expect-err calls.upc:15)
#include <upc.h>
#include <upc_collective.h>
shared[16] char dst[16 * THREADS], src[16 * THREADS];
int main(void) {
    if (MYTHREAD)
        upc_all_gather(src, dst, 1, 0);
    else
        upc_all_scatter(dst, src, 1, 0);
    return 0;
}
