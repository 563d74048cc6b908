// Statements out of place.
#include <upc.h>
int f(int n) {
    break;             //~ ERROR C0212
    continue;          //~ ERROR C0212
    case 3: n++;       //~ ERROR C0212
    default: n--;      //~ ERROR C0212
    switch (n) {
    case 1:
    case 1: break;     //~ ERROR C0212
    }
    return n;
}
