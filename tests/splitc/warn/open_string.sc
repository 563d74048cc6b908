/* A string that goes on over its line, as of old, is taken, with a warning that says what to write today. */
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
