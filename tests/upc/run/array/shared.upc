/* Distributed arrays over shared arrays that exist: shifts move the elements that UPC's own accesses see. */
#include "../../check.h"
#include <meridian/array.h>

#define ROWS 3
#define COLUMNS 5
shared[ROWS * COLUMNS] int a[ROWS * THREADS][COLUMNS], b[ROWS * THREADS][COLUMNS];

int main(void) {
    struct mer_array_spec spec = {
        .name = "a", .type = MER_INT32, .rank = 2, .extent = {ROWS * THREADS, COLUMNS}, .axis[1].serial = 1};
    spec.axis[0].order = MER_SEND; /* block i lies on thread i */
    mer_array *from = mer_array_over(&spec, (void *)&a[ROWS * MYTHREAD][0]);
    spec.name = "b";
    mer_array *to = mer_array_over(&spec, (void *)&b[ROWS * MYTHREAD][0]);
    for (int i = ROWS * MYTHREAD; i < ROWS * (MYTHREAD + 1); i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = 10 * i + j;
    mer_cshift(to, from, 4, 0);
    upc_barrier;
    for (int i = 0; i < ROWS * THREADS; i++)
        for (int j = 0; j < COLUMNS; j++)
            CHECK_EQ(b[i][j], 10 * ((i + 4) % (ROWS * THREADS)) + j);
    upc_barrier;
    int minus = -1;
    mer_eoshift(to, from, 1, MER_EOSHIFT_SCALAR, (union mer_boundary){.scalar = &minus}, 1);
    upc_barrier;
    for (int i = 0; i < ROWS * THREADS; i++)
        for (int j = 0; j < COLUMNS; j++)
            CHECK_EQ(b[i][j], j + 1 < COLUMNS ? 10 * i + j + 1 : -1);
    mer_array_free(from);
    mer_array_free(to);
    return 0;
}
