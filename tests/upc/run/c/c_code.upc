// `#pragma upc c_code`, as in headers of C libraries for other UPC compilers: UPC's words are names from
// there to `#pragma upc upc_code`, or to the end of the file.
#include "c_code.h"
#include "../../check.h"

#pragma upc c_code
static int of_names(int strict) {
    return strict + upc_fence;
}
#pragma upc upc_code
#pragma upc strict
shared [2] int twos[2 * THREADS];

int main(void) {
    strict shared [2] int *first = &twos[0];
    CHECK_EQ(of_names(3), 45);
    CHECK_EQ(last_of_shared(2), 7);
    upc_forall (int i = 0; i < 2 * THREADS; i++; &twos[i])
        twos[i] = i;
    upc_barrier;
    CHECK(first[0] == 0 && twos[2 * THREADS - 1] == 2 * THREADS - 1);
    return 0;
}
