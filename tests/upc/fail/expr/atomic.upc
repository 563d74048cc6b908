// Calls of atomics, which are macros, with wrong arguments: the messages have the program's names.
//: clause 6.4.3 p1
#include <upc.h>
#include <upc_atomic.h>
upc_atomicdomain_t *domain;
shared int x;
int y;

int main(void) {
    upc_atomic_relaxed(domain, &y, UPC_GET, &y, 0, 0); //~ ERROR U0612: as argument 4 of `upc_atomic_relaxed`
    upc_atomic_strict(domain, &x, UPC_GET, &x, 0, 0); //~ ERROR U0618: as argument 2 of `upc_atomic_strict`
    upc_atomic_strict(domain, &y, UPC_GET, &x); //~ ERROR C0204: `upc_atomic_strict` takes 6 arguments
    return 0;
}
