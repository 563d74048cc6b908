/* <upc_relaxed.h>: shared accesses are relaxed from here on; every inclusion says so anew (UPC 1.3, 7.1). */
#include <upc.h>
#pragma upc relaxed
