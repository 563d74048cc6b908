// The value of a barrier statement can be assigned to int.
//: clause 6.6.1 p2
#include <upc.h>
shared int *p;
struct s {
    int x;
} st;
void g(void);
void f(void) {
    upc_barrier p;     //~ ERROR U0617
    upc_notify st;     //~ ERROR U0617
    upc_wait g();      //~ ERROR U0617
    upc_barrier "x";   //~ WARNING U0617
    upc_barrier 2.5;   //~ WARNING U0617
    upc_barrier st.x;
}
