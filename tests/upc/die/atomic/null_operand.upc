// An operand that is needed is null.
//: clause 7.6.4.3 p4
//: expect-err upc_atomic: operand1 is null, and UPC_ADD needs it
#include <upc.h>
#include <upc_atomic.h>

shared long number;

int main(void) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
    upc_atomic_relaxed(domain, NULL, UPC_ADD, &number, NULL, NULL);
    return 0;
}
