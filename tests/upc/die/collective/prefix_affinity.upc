// A prefix reduction whose operands begin on different threads.
//: clause 7.4.3.1 p9
//: threads 2 4 8
//: env MERIDIAN_CHECK=1
//: expect-err upc_all_prefix_reduceL at 
//: expect-err prefix_affinity.upc:11: src has affinity to thread 0 and dst to thread 1; they have to match
#include <upc.h>
#include <upc_collective.h>
shared long sums[2 * THREADS], terms[2 * THREADS];
int main(void) {
    upc_all_prefix_reduceL(&sums[1], terms, UPC_ADD, 1, 1, NULL, 0);
    return 0;
}
