// A missing semicolon is reported at its place, in each function.
#include <upc.h>
shared int x;
int f(void) {
    int a = 1 //~ ERROR C0100
    int b = 2;
    return a + b;
}
int g(void) {
    return 3 //~ ERROR C0100
}
