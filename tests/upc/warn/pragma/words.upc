// Words after the pragma's own.
//: clause 6.7.1 p1
#include <upc.h>
#pragma upc strict and_more //~ WARNING U0619
shared int x;
#pragma upc relaxed
int f(void) {
    return x;
}
