// A type that has no atomic operations.
//: clause 7.6.2 p3
//: expect-err type 1 has no atomic operations; those that have are UPC_INT
#include <upc.h>
#include <upc_atomic.h>

shared long number;

int main(void) {
    upc_all_atomicdomain_alloc(UPC_CHAR, UPC_ADD, 0);
    return 0;
}
