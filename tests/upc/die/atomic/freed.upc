// A domain that has been freed.
//: clause 7.6.4.2 p5
//: expect-err upc_atomic_relaxed: the domain has been freed
#include <upc.h>
#include <upc_atomic.h>

shared long number;

int main(void) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_INC, 0);
    upc_all_atomicdomain_free(domain);
    upc_barrier;
    upc_atomic_relaxed(domain, NULL, UPC_INC, &number, NULL, NULL);
    return 0;
}
