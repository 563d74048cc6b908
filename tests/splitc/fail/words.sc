//: clause program 6
//: mode dynamic
/* Messages quote the program's names as they are, and speak of types in Split-C's words. */
#include <split-c/split-c.h>

int table[PROCS]:: = 3; //~ ERROR C0210: `int [PROCS]`

splitc_main() {
    shared = 1; //~ ERROR C0200: `shared` is not declared
    THREADS = 2; //~ ERROR C0200: `THREADS` is not declared
    upc_alloc(3); //~ WARNING C0213: function `upc_alloc` is called
}
