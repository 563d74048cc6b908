// A pointer that is no domain.
//: clause 7.6.4.2 p3
//: expect-err upc_all_atomicdomain_free: the pointer
#include <upc.h>
#include <upc_atomic.h>

shared long number;

int main(void) {
    upc_all_atomicdomain_free((upc_atomicdomain_t *)upc_all_alloc(1, 64));
    return 0;
}
