// Values of barriers that are no integers become an int, with a warning.
//: clause 6.6.1 p2
#include <upc.h>
int x;
void f(void) {
    upc_barrier 3.14; //~ WARNING U0617
    upc_notify &x;    //~ WARNING U0617
    upc_wait &x;      //~ WARNING U0617
    upc_barrier 3L;
}
