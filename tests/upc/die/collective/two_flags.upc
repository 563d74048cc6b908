// Two flags of one side.
//: clause 7.3.3 p2
//: threads 1 2
//: env MERIDIAN_CHECK=1
//: expect-err upc_all_gather at 
//: expect-err two_flags.upc:11: flags holds more than one UPC_IN_ flag
#include <upc.h>
#include <upc_collective.h>
shared[16] char dst[16 * THREADS], src[16 * THREADS];
int main(void) {
    upc_all_gather(dst, src, 1, UPC_IN_ALLSYNC | UPC_IN_NOSYNC);
    return 0;
}
