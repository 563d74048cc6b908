/* A string over several lines, as in old C, is accepted, with a warning that names today's form. */
//: clause program 6
#include <stdio.h>
int splitc_main() {
    printf("a, //~ WARNING S0707: close it there and open it again
b\n");
    printf("%s%s", "c
", "it's //~^ WARNING S0707: close it there
\"d\""); //~^ WARNING S0707: close it there
    return 0;
}
