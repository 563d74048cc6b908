// Statements out of place.
#include <upc.h>
int f(int n) {
    break;             //~ ERROR
    continue;          //~ ERROR
    case 3: n++;       //~ ERROR
    default: n--;      //~ ERROR
    switch (n) {
    case 1:
    case 1: break;     //~ ERROR
    }
    return n;
}
