// A bitwise operation on floating-point numbers; found without MERIDIAN_CHECK too.
//: clause 7.4.3 p1
//: threads 1 2
//: expect-err upc_all_reduceD: UPC_XOR has no meaning for double
#include <upc.h>
#include <upc_collective.h>
shared double result, terms[THREADS];
int main(void) {
    upc_all_reduceD(&result, terms, UPC_XOR, THREADS, 1, NULL, 0);
    return 0;
}
