// A switch that jumps into a upc_forall.
//: clause 6.6.2 p13
//: flags -O2
#include <upc.h>
void f(int n) {
    switch (n) {
        upc_forall(int i = 0; i < 2; i++; i) {
        case 1: //~ WARNING U0620
            n++;
        default: //~ WARNING U0620
            switch (n) {
            case 2:
                n++;
            }
        }
    }
}
