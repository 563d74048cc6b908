// strict and relaxed qualify only shared types.
//: clause 6.5.1.1 p4
#include <upc.h>
typedef shared int counter;
strict int a;                //~ ERROR U0603
relaxed char *b;             //~ ERROR U0603
shared int *strict c;        //~ ERROR U0603
strict counter fine;
shared int *shared strict fine_too;
void f(void) {
    int x = *(relaxed int *)0; //~ ERROR U0603
}
struct s {
    strict int m;            //~ ERROR U0603
};
