// An undeclared name, or one of no member, is reported once: there is no second error about its type where
// its address is used.
//: clause 6.4.3 p1
#include <upc.h>
shared int *p;
struct s {
    int a;
} t;
void f(void) {
    p = &nothing;                                //~ ERROR C0200
    p = &nobody[3];                              //~ ERROR C0200
    p = &t.b;                                    //~ ERROR C0202
    p = (shared int *)&none;                     //~ ERROR C0200
    upc_forall(int i = 0; i < 3; i++; &never[i]) //~ ERROR C0200
        p[i] = 0;
}
