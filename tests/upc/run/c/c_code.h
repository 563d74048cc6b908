/* A header of C for c_code.upc: it does not mark the end of its C. */
#pragma upc c_code
#include "c_code_inner.h"
static int upc_fence = 42;
static int last_of_shared(int n) {
    int strict[3] = {1, 2, 7}, shared = n;
    return strict[shared];
}
