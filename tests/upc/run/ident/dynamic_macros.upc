// The macros of the dynamic environment; THREADS is no macro there.
//: clause 6.7.2 p2
//: mode dynamic
//: threads 1 3
#include "../../check.h"
#ifndef __UPC_DYNAMIC_THREADS__
#error the macro of the dynamic environment must be defined
#endif
#ifdef __UPC_STATIC_THREADS__
#error the macro of the static environment must not be defined
#endif
#ifdef THREADS
#error THREADS is no macro in the dynamic environment
#endif
int main(void) {
    CHECK_EQ(__UPC_DYNAMIC_THREADS__, 1);
    return 0;
}
