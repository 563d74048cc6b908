// UPC_GET needs a place for the value.
//: clause 7.6.4.3 p6
//: expect-err upc_atomic: fetch_ptr is null, and UPC_GET needs it
#include <upc.h>
#include <upc_atomic.h>

shared long number;

int main(void) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_GET, 0);
    upc_atomic_strict(domain, NULL, UPC_GET, &number, NULL, NULL);
    return 0;
}
