// An operand that is distributed over the threads has to begin on thread 0.
//: clause 7.4.2.1 p6
//: clause 7.4.2.2 p5
//: clause 7.4.2.3 p5
//: clause 7.4.2.4 p5
//: clause 7.4.2.5 p5
//: clause 7.4.2.6 p6
//: threads 2 4 8
//: env MERIDIAN_CHECK=1
//: expect-err upc_all_broadcast at 
//: expect-err begins_elsewhere.upc:16: dst has affinity to thread 1, but has to begin on thread 0
#include <upc.h>
#include <upc_collective.h>
shared[16] char dst[16 * THREADS], src[16 * THREADS];
int main(void) {
    upc_all_broadcast(&dst[16], src, 1, 0);
    return 0;
}
