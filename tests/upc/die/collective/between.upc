// A collective call between upc_notify and upc_wait; found without MERIDIAN_CHECK too, even if the flags
// require no waiting.
//: clause 7.4 p4
//: threads 1 2 4
//: expect-err upc_all_gather is called between the upc_notify at 
//: expect-err between.upc:11 and its upc_wait
#include <upc.h>
#include <upc_collective.h>
shared[16] char dst[16 * THREADS], src[16 * THREADS];
int main(void) {
    upc_notify;
    upc_all_gather(dst, src, 1, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    upc_wait;
    return 0;
}
