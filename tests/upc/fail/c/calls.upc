// Calls with the wrong number or kind of arguments.
#include <upc.h>
int two(int a, shared int *b);
shared int x;
struct s {
    int v;
} st;
void f(void) {
    two(1);               //~ ERROR C0204
    two(1, &x, 3);        //~ ERROR C0204
    two(&x, &x);          //~ ERROR C0207
    two(st, &x);          //~ ERROR C0207
    upc_lock(&x);         //~ WARNING U0618
    upc_threadof(x);      //~ ERROR U0612
    upc_memget(&x, &x, 4); //~ ERROR U0618
    x(3);                 //~ ERROR C0203
    two(1, &x);
}
