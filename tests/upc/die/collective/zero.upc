// No bytes at all.
//: clause 7.4.2.1 p3
//: clause 7.4.2.2 p3
//: clause 7.4.2.3 p3
//: clause 7.4.2.4 p3
//: clause 7.4.2.5 p3
//: clause 7.4.2.6 p3
//: threads 1 3
//: env MERIDIAN_CHECK=1
//: expect-err upc_all_broadcast at 
//: expect-err zero.upc:16: nbytes is 0, but has to be greater
#include <upc.h>
#include <upc_collective.h>
shared[16] char dst[16 * THREADS], src[16 * THREADS];
int main(void) {
    upc_all_broadcast(dst, src, 0, 0);
    return 0;
}
