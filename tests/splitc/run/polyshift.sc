/* Distributed arrays over spread arrays: shifts move the elements that Split-C's own accesses see. */
#include <split-c/split-c.h>
#include <meridian/array.h>

#include "../check.h"

#define N 6
static double a[PROCS]::[N], b[PROCS]::[N];

splitc_main() {
    struct mer_array_spec spec = {.name = "a", .type = MER_FLOAT64, .rank = 1};
    spec.extent[0] = N * PROCS;
    spec.axis[0].order = MER_SEND;
    mer_array *from = mer_array_over(&spec, (void *)&a[MYPROC][0]);
    mer_array *to = mer_array_over(&spec, (void *)&b[MYPROC][0]);
    for (int i = 0; i < N; i++)
        a[MYPROC][i] = N * MYPROC + i;
    mer_cshift(to, from, -2, 0);
    barrier();
    for (int p = 0; p < PROCS; p++)
        for (int i = 0; i < N; i++)
            CHECK(b[p][i] == (N * p + i - 2 + N * PROCS) % (N * PROCS));
    barrier();
}
