// Undeclared names; each is reported once at each place, with similar names.
#include <upc.h>
shared int counter;
int f(void) {
    int value = 3;
    countr = 1;              //~ ERROR C0200
    return valu + unknown(); //~ ERROR C0200
}
void g(void) {
    struct nothing s;        //~ ERROR C0208
    goto nowhere;            //~ ERROR C0200
}
