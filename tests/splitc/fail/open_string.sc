/* A string that is never closed is one error, which names a remedy. */
//: clause program 6
#include <stdio.h>
int splitc_main() {
    printf("a,\n); //~ ERROR C0002: add the missing
    undeclared();
    return 0;
}
