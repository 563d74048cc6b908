// Several errors in one run, in the order of the lines.
#include <upc.h>
shared int a[10 * THREADS];
int f(void) {
    shared int x;          //~ ERROR U0600
    one;                   //~ ERROR C0200
    int y = a[0].member;   //~ ERROR C0202
    two;                   //~ ERROR C0200
    upc_barrier a;         //~ ERROR U0617
    return three;          //~ ERROR C0200
}
