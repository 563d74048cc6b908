// An operation that the type does not have.
//: clause 7.6.4.1 p5
//: expect-err UPC_AND, UPC_LOGOR cannot be done on UPC_DOUBLE, whose operations are UPC_GET
#include <upc.h>
#include <upc_atomic.h>

shared long number;

int main(void) {
    upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_GET | UPC_AND | UPC_LOGOR, 0);
    return 0;
}
