// An operation that the domain was not made for.
//: clause 7.6.4.3 p2
//: expect-err upc_atomic_relaxed: UPC_SUB is not among the operations of the domain, which are UPC_GET, UPC_ADD on UPC_LONG
#include <upc.h>
#include <upc_atomic.h>

shared long number;

int main(void) {
    long one = 1;
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET, 0);
    upc_atomic_relaxed(domain, NULL, UPC_SUB, &number, &one, NULL);
    return 0;
}
