// A type name that nothing declares.
#include <upc.h>
shared unknown_type x; //~ ERROR C0103
int f(void) {
    uint32_t n = 3; //~ ERROR C0103
    return 0;
}
