// `asm goto` cannot write a shared object: where that is another host's, it is written behind the statement.
#include <upc.h>
shared int number;
int private_one;
int f(void) {
    __asm__ goto("incl %0" : "+m"(number) : : "cc" : end);  //~ ERROR C0212
    __asm__ goto("incl %0" : "+m"(private_one) : "r"(number) : "cc" : end);
    __asm__ goto("" : : "m"(number) : "cc" : end);
end:
    return 0;
}
