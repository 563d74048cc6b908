// No pointer-to-local except null is cast to a pointer-to-shared.
//: clause 6.4.3 p1
//: clause 6.4.3 p7
#include <upc.h>
int x, *p;
shared int *q;
long n;
void f(void) {
    q = (shared int *)p;          //~ ERROR U0612
    q = (shared int *)&x;         //~ ERROR U0612
    q = (shared int *)"text";     //~ ERROR U0612
    (void)(shared void *)p;       //~ ERROR U0612
    q = (shared int *)0;
    q = (shared int *)(void *)0;
    p = (int *)q;
    int **pp = &p;
    (void)(shared int **)pp;      //~ ERROR U0612
}
