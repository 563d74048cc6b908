// `asm goto` cannot write a shared object: an object of another host would be written after the statement.
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
