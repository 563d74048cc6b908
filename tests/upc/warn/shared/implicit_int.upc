// A shared object without a type is an int, with a warning, as C compilers give for others.
#include <upc.h>
shared x; //~ WARNING C0215: the type is int
shared [2] a[2 * THREADS], *p = a; //~ WARNING C0215
extern shared int y;
typedef shared z; //~ WARNING C0215
int main(void) {
    static shared strict flag; //~ WARNING C0215
    flag = x + *p;
    return 0;
}
