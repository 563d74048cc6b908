// A UPC pragma in the middle of a block is out of place.
//: clause 6.7.1 p4
#include <upc.h>
shared int x;
void f(void) {
#pragma upc strict
    x = 1;
#pragma upc relaxed //~ WARNING U0619
    x = 2;
}
