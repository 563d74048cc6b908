// No shared object of automatic storage duration.
//: clause 6.5.2 p8
//: clause 6.5.1.1 p18
#include <upc.h>
typedef shared int counter;
struct point {
    int x;
};
void f(void) {
    shared int x;               //~ ERROR U0600
    shared int *y;
    int *shared z;              //~ ERROR U0600
    shared int a[10 * THREADS]; //~ ERROR U0600
    shared[] int s[4];          //~ ERROR U0600
    counter c;                  //~ ERROR U0600
    shared struct point p;      //~ ERROR U0600
    register shared int r;      //~ ERROR U0600
    auto shared int q;          //~ ERROR U0600
    static shared int fine;
    extern shared int fine_too;
    shared int *ok[3];
    shared int *shared bad[3];  //~ ERROR U0600
    for (shared int i = 0;;)    //~ ERROR U0600
        ;
    upc_forall(shared int j = 0; j < 1; j++; j) {} //~ ERROR U0600
    {
        strict shared long l;   //~ ERROR U0600
    }
}
