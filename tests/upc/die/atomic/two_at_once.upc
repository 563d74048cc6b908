// Two operations in one call.
//: clause 7.6.4.3 p2
//: expect-err upc_atomic_strict: op has to be a single operation, but is UPC_GET, UPC_ADD
#include <upc.h>
#include <upc_atomic.h>

shared long number;

int main(void) {
    long one = 1;
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET, 0);
    upc_atomic_strict(domain, &one, UPC_ADD | UPC_GET, &number, &one, NULL);
    return 0;
}
