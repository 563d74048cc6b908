// Functions that return pointers to qualified pointers-to-shared, declared before they are defined, also by
// typedefs; and CMPLX, whose type is complex in every context.
//: clause 6.5.1.1 p9
#include <complex.h>
#include "../../check.h"

#ifndef CMPLX /* some C libraries define it for gcc alone */
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#endif

typedef shared int *const *row_t;
typedef shared[3] int *volatile *rows_t;

row_t constant(int n);
rows_t changing(int n);
int *shared *volatile *both(void);
static shared int x = 4;
static shared[3] int y[3 * THREADS];
static shared double complex z[THREADS];

shared int *const *constant(int n) {
    static shared int *table[2];
    table[n] = &x;
    return table;
}
shared[3] int *volatile *changing(int n) {
    static shared[3] int *volatile at;
    at = &y[n];
    return &at;
}
int *shared *volatile *both(void) { return 0; }

int main(void) {
    if (MYTHREAD == 0)
        y[1] = 6;
    upc_barrier;
    CHECK(*constant(1)[1] == 4 && **changing(1) == 6 && !both());
    CHECK_EQ(upc_phaseof(*changing(2)), 2);
    int n = THREADS;
    z[MYTHREAD] = n ? CMPLX(1, 2) : 3.0;
    z[MYTHREAD] += (n ? CMPLX(0.5, MYTHREAD) : z[0]) * 2;
    CHECK(z[MYTHREAD] == 2 + (2 + 2.0 * MYTHREAD) * I);
    CHECK(conj(z[MYTHREAD]) == ~(n ? z[MYTHREAD] : CMPLX(1, 1)) && sizeof(CMPLX(1, 2)) == 16);
    return 0;
}
