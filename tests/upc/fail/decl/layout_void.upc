// No layout on the void of a pointer.
//: clause 6.5.1.1 p8
#include <upc.h>
shared[4] void *p;                //~ ERROR U0607
shared[] void *q;                 //~ ERROR U0607
shared void *fine;
void f(shared[3] const void *r);  //~ ERROR U0607
void g(void) {
    fine = (shared[2] void *)0;   //~ ERROR U0607
}
