// A plain for's three clauses are no upc_forall.
//: clause 6.6.2 p2
#include <upc.h>
void f(void) {
    int i;
    upc_forall(i = 0; i < 4; i++) {} //~ ERROR U0625
}
