// A number that is no operation; found without MERIDIAN_CHECK too.
//: clause 7.4.3 p1
//: threads 1 2
//: expect-err upc_all_reduceS: op is 0x3, which is no operation
#include <upc.h>
#include <upc_collective.h>
shared short result, terms[THREADS];
int main(void) {
    upc_all_reduceS(&result, terms, UPC_ADD | UPC_MULT, THREADS, 1, NULL, 0);
    return 0;
}
