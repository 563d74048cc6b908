// A null target.
//: clause 7.6.4.3 p3
//: expect-err upc_atomic_relaxed: the target is a null pointer-to-shared
#include <upc.h>
#include <upc_atomic.h>

shared long number;

int main(void) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_INC, 0);
    upc_atomic_relaxed(domain, NULL, UPC_INC, NULL, NULL, NULL);
    return 0;
}
