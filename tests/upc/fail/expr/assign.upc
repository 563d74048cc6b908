// Assignments, arguments, initialisers and returns convert no shared to local pointer or back; of other block
// sizes there is a warning.
//: clause 6.4.3 p1
//: clause 6.5.1.1 p13
//: clause 6.5.1.1 p14
#include <upc.h>
shared int *cyclic;
shared[4] int *four;
shared[] int *solid;
shared void *generic;
int *local;
int x;
void take(shared[4] int *p);
shared[4] int *give(void) {
    return cyclic;         //~ WARNING U0618
}
void f(void) {
    cyclic = four;         //~ WARNING U0618
    four = solid;          //~ WARNING U0618
    solid = cyclic;        //~ WARNING U0618
    cyclic = local;        //~ ERROR U0612
    local = cyclic;        //~ ERROR U0618
    cyclic = &x;           //~ ERROR U0612
    take(cyclic);          //~ WARNING U0618
    take(local);           //~ ERROR U0612
    shared[4] int *p = solid; //~ WARNING U0618
    void *q = cyclic;      //~ ERROR U0618
    generic = local;       //~ ERROR U0612
    cyclic = 5;            //~ ERROR U0612
    int n = cyclic;        //~ ERROR C0207
    generic = four;
    four = generic;
    cyclic = (shared int *)four;
    take(0);
    take(generic);
}
