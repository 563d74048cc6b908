// A type name that nothing declares.
#include <upc.h>
shared unknown_type x; //~ ERROR
int f(void) {
    uint32_t n = 3; //~ ERROR
    return 0;
}
