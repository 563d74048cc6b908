// No relational operators on pointers-to-shared to incomplete types.
//: clause 6.4.2 p2
#include <upc.h>
shared void *a, *b;
shared struct unknown *c, *d;
shared int *x, *y;
int f(void) {
    int r = a < b;  //~ ERROR U0611
    r += a >= b;    //~ ERROR U0611
    r += c > d;     //~ ERROR U0611
    r += c <= d;    //~ ERROR U0611
    r += a == b && c != d && x < y;
    return r;
}
