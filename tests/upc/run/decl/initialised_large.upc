// Initialisers of objects too large for the program's image, and of private pointers by way of casts.
//: clause 6.5.2.1 p4
#include <upc.h>
#include "../../check.h"

shared[] int large[70000000] = {1, 2, 3}; /* 280 MB on thread 0 */
shared int a[10 * THREADS];
shared[5] int b[10 * THREADS];
static shared[] int *on_one_thread = (shared[] int *)&a[0] + 3;
static shared[3] int *other_block = (shared[3] int *)&b[7];

int main(void) {
    CHECK_EQ(large[0], 1);
    CHECK_EQ(large[2], 3);
    CHECK_EQ(large[3], 0);
    CHECK_EQ(large[69999999], 0);
    shared[] int *one = (shared[] int *)&a[0] + 3;
    shared[3] int *other = (shared[3] int *)&b[7];
    CHECK(on_one_thread == one);
    CHECK(other_block == other);
    CHECK_EQ(upc_phaseof(other_block), upc_phaseof(other));
    return 0;
}
