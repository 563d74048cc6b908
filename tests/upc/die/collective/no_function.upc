// UPC_FUNC without a function; found without MERIDIAN_CHECK too.
//: clause 7.4.3 p1
//: threads 1 2
//: expect-err upc_all_prefix_reduceUC: op is UPC_NONCOMM_FUNC, but func is null
#include <upc.h>
#include <upc_collective.h>
shared unsigned char sums[THREADS], terms[THREADS];
int main(void) {
    upc_all_prefix_reduceUC(sums, terms, UPC_NONCOMM_FUNC, THREADS, 1, NULL, 0);
    return 0;
}
