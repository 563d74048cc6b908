//: static 1 2 3 4
/* Pointers to rows of a length known only at run time, by constant subscripts, multiples of THREADS among
 * them. */
#include <upc.h>
#include "../../check.h"

shared double a[20 * THREADS];

static double sum(int n, shared double (*rows)[n]) { return rows[2][1] + rows[3][0] + (*(rows + 4))[2]; }

int main(void) {
    int n = 3, i;
    upc_forall (i = 0; i < 20 * THREADS; i++; &a[i])
        a[i] = i;
    upc_barrier;
    CHECK(sum(n, (shared double (*)[n])a) == 7 + 9 + 14);
    shared double (*p)[n] = (shared double (*)[n])a;
    CHECK(p[1][1] == 4 && p[2][2] == 8 && p[3][1] == 10 && p[4][0] == 12 && p[5][2] == 17);
    CHECK(&p[4][0] == &a[12] && (shared double *)(p + 3) == a + 9);
    return 0;
}
