// A switch or goto that jumps into a upc_forall.
//: clause 6.6.2 p13
#include <upc.h>
void f(int n) {
    switch (n) {
        upc_forall(int i = 0; i < 2; i++; i) {
        case 1: //~ ERROR U0620: a switch enters
            n++;
        default: //~ ERROR U0620: a switch enters
            switch (n) {
            case 2:
                n++;
            }
        }
    }
}
void g(int n) {
    if (n)
        goto in; //~ ERROR U0620: `goto` enters
    upc_forall(int i = 0; i < 2; i++; i) {
        if (i)
            goto in;
    in:
        n++;
    }
}
