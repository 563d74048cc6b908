// What is not declared, or not a member, is told once: no second error about its type where its address is
// used.
//: clause 6.4.3 p1
#include <upc.h>
shared int *p;
struct s {
    int a;
} t;
void f(void) {
    p = &nothing;                                //~ ERROR
    p = &nobody[3];                              //~ ERROR
    p = &t.b;                                    //~ ERROR
    p = (shared int *)&none;                     //~ ERROR
    upc_forall(int i = 0; i < 3; i++; &never[i]) //~ ERROR
        p[i] = 0;
}
