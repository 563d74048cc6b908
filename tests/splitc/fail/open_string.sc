/* A string that goes on over its line is one error, which says what to do. */
//: clause program 6
#include <stdio.h>
int splitc_main() {
    printf("a,\n //~ ERROR C0002: close it there and open it again
b\n");
    undeclared();
    return 0;
}
