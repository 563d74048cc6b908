// Parameters are automatic objects: they cannot be shared, nor can a function return a shared object.
//: clause 6.5.2 p8
#include <upc.h>
typedef shared int counter;
void f(shared int x);                  //~ ERROR U0613
void g(int a, shared double d) {}      //~ ERROR U0613
void h(int *shared p);                 //~ ERROR U0613
void i(counter c);                     //~ ERROR U0613
void ok(shared int *p, shared int a[], shared[] int (*q)[4]);
shared int r(void);                    //~ ERROR U0614
counter s(void) { return 0; }          //~ ERROR U0614
shared int *fine(void);
int *shared t(void);                   //~ ERROR U0614
shared int (*pointer_to_bad)(void);    //~ ERROR U0614
void k(o)
    shared int o;                      //~ ERROR U0613
{
}
