/* <upc_relaxed.h>: shared accesses are relaxed from here on, after each inclusion (UPC 1.3, 7.1). */
#include <upc.h>
#pragma upc relaxed
