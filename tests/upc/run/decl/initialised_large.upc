// Initialisers of objects too large for the program's image, and of private pointers by way of casts.
//: clause 6.5.2.1 p4
#include <upc.h>
#include "../../check.h"

shared[] int large[70000000] = {1, 2, 3}; /* 280 MB on thread 0 */
shared int a[10 * THREADS];
shared[5] int b[10 * THREADS];
static shared[] int *on_one_thread = (shared[] int *)&a[0] + 3;
static shared[3] int *other_block = (shared[3] int *)&b[7];
shared double rows[3][THREADS][20000000]; /* 480 MB on each thread */
shared[1000] char bytes[2][THREADS * 300000000L];
static shared double *in_rows = &rows[2][0][5];
shared[1000] char *in_bytes = &bytes[1][7];
shared[] int *at_end[] = {&large[69999999], large};

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
    CHECK(in_rows == &rows[2][0][5] && in_bytes == &bytes[1][7]);
    CHECK_EQ(upc_phaseof(in_bytes), upc_phaseof(&bytes[1][7]));
    CHECK(at_end[0] == &large[69999999] && at_end[1] == &large[0]);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        *in_rows = 2.5;
        *in_bytes = 'x';
    }
    upc_barrier;
    CHECK(rows[2][0][5] == 2.5);
    CHECK_EQ(bytes[1][7], 'x');
    return 0;
}
