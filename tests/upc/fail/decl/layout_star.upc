// [*] is neither for pointers nor for typedefs.
//: clause 6.5.1.1 p6
//: clause 6.5.1.1 p7
#include <upc.h>
shared[*] int *p;                       //~ ERROR U0606
typedef shared[*] int t[10 * THREADS];  //~ ERROR U0606
shared[*] int fine[10 * THREADS];
void f(shared[*] int *q);               //~ ERROR U0606
void *g(void) {
    return (void *)(shared[*] int *)0;  //~ ERROR U0606
}
