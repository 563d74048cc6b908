/* <upc_strict.h>: shared accesses are strict from here on, after each inclusion (UPC 1.3, 7.1). */
#include <upc.h>
#pragma upc strict
