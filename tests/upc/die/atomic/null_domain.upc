// A null domain.
//: clause 7.6.4.3 p2
//: expect-err upc_atomic_relaxed: the domain is a null pointer
#include <upc.h>
#include <upc_atomic.h>

shared long number;

int main(void) {
    upc_atomic_relaxed(NULL, NULL, UPC_INC, &number, NULL, NULL);
    return 0;
}
