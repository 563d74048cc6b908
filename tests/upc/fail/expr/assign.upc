// Assignments, arguments, initialisers and returns convert no shared to local pointer or back, and no block
// size to another.
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
    return cyclic;         //~ ERROR
}
void f(void) {
    cyclic = four;         //~ ERROR
    four = solid;          //~ ERROR
    solid = cyclic;        //~ ERROR
    cyclic = local;        //~ ERROR
    local = cyclic;        //~ ERROR
    cyclic = &x;           //~ ERROR
    take(cyclic);          //~ ERROR
    take(local);           //~ ERROR
    shared[4] int *p = solid; //~ ERROR
    void *q = cyclic;      //~ ERROR
    generic = local;       //~ ERROR
    cyclic = 5;            //~ ERROR
    int n = cyclic;        //~ ERROR
    generic = four;
    four = generic;
    cyclic = (shared int *)four;
    take(0);
    take(generic);
}
