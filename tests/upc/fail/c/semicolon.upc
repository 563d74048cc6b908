// A missing semicolon is told where it is missing, and the rest is still checked.
#include <upc.h>
shared int x;
int f(void) {
    int a = 1 //~ ERROR C0100
    int b = 2;
    return undeclared; //~ ERROR C0200
}
