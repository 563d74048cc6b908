// No binary operator on one pointer-to-shared and one pointer-to-local.
//: clause 6.4.2 p1
#include <upc.h>
shared int *s;
shared void *v;
int *l;
int f(void) {
    int r = s == l;     //~ ERROR U0610
    r += s != l;        //~ ERROR U0610
    r += s < l;         //~ ERROR U0610
    r += s - l;         //~ ERROR U0610
    r += l >= s;        //~ ERROR U0610
    r += v == (void *)l; //~ ERROR U0610
    r += s == 0;
    r += s && l;
    r += (s == (shared int *)0) || (l == (int *)s);
    return r;
}
