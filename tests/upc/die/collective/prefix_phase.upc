// A prefix reduction whose operands have different phases.
//: clause 7.4.3.1 p9
//: threads 1 3
//: env MERIDIAN_CHECK=1
//: expect-err upc_all_prefix_reduceL at 
//: expect-err prefix_phase.upc:11: src has phase 1 and dst phase 0; they have to match
#include <upc.h>
#include <upc_collective.h>
shared[2] long sums[2 * THREADS], terms[2 * THREADS];
int main(void) {
    upc_all_prefix_reduceL(sums, &terms[1], UPC_ADD, 1, 2, NULL, 0);
    return 0;
}
