// continue is an affinity, and no part of an expression.
//: clause 6.6.2 p3
#include <upc.h>
void f(void) {
    int i;
    upc_forall(i = 0; i < 4; i++; continue + 1) {} //~ ERROR C0100
}
