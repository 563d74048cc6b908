/* A stencil over a shared array with ghost cells, which UPC's own accesses see: in place, without copying. */
#include "../../check.h"
#include <meridian/array.h>
#include <meridian/stencil.h>

#define ROWS 3
#define COLUMNS 5
#define STEPS 4
typedef struct {
    double at[ROWS + 2][COLUMNS + 2];
} block;
shared block a[THREADS], b[THREADS];

int main(void) {
    double(*serial)[ROWS * THREADS][COLUMNS] = malloc(2 * sizeof *serial);
    struct mer_array_spec spec = {
        .name = "a", .type = MER_FLOAT64, .rank = 2, .extent = {ROWS * THREADS, COLUMNS}};
    spec.axis[0] = (struct mer_axis){.order = MER_SEND, .halo = 1};
    spec.axis[1] = (struct mer_axis){.serial = 1, .halo = 1};
    mer_array *u = mer_array_over(&spec, (void *)&a[MYTHREAD]);
    spec.name = "b";
    mer_array *v = mer_array_over(&spec, (void *)&b[MYTHREAD]);
    for (int i = 0; i < ROWS * THREADS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            serial[0][i][j] = i * i - 3 * j;
            if (i / ROWS == MYTHREAD)
                a[MYTHREAD].at[i % ROWS + 1][j + 1] = serial[0][i][j];
        }
    struct mer_term terms[] = {{.coefficient = 0.5, .offset = {-1, 0}},
                               {.coefficient = 0.25, .offset = {1, 1}},
                               {.coefficient = 0.125, .offset = {0, -1}}};
    struct mer_stencil_spec spec_of = {.terms = 3, .term = terms};
    spec_of.face[1][0] = spec_of.face[1][1] = (struct mer_face){MER_VALUE, 7};
    mer_stencil *s = mer_stencil_create(u, &spec_of);
    mer_array *now = mer_stencil_run(s, u, v, STEPS);
    CHECK(now == u);
    for (int n = 0; n < STEPS; n++)
        for (int i = 0; i < ROWS * THREADS; i++)
            for (int j = 0; j < COLUMNS; j++) {
                double(*old)[COLUMNS] = serial[n % 2];
                int above = (i + ROWS * THREADS - 1) % (ROWS * THREADS), below = (i + 1) % (ROWS * THREADS);
                serial[1 - n % 2][i][j] = 0.5 * old[above][j] +
                                          0.25 * (j + 1 < COLUMNS ? old[below][j + 1] : 7) +
                                          0.125 * (j > 0 ? old[i][j - 1] : 7);
            }
    upc_barrier;
    for (int i = 0; i < ROWS * THREADS; i++)
        for (int j = 0; j < COLUMNS; j++)
            CHECK(a[i / ROWS].at[i % ROWS + 1][j + 1] == serial[0][i][j]);
    double one = 0;
    mer_array_get(u, (long[]){ROWS * THREADS - 1, 2}, &one);
    CHECK(one == serial[0][ROWS * THREADS - 1][2]);
    upc_barrier;
    mer_cshift(v, u, 1, 0);
    upc_barrier;
    for (int i = 0; i < ROWS * THREADS; i++)
        CHECK(b[i / ROWS].at[i % ROWS + 1][3] == serial[0][(i + 1) % (ROWS * THREADS)][2]);
    free(serial);
    mer_stencil_free(s);
    mer_array_free(u);
    mer_array_free(v);
    return 0;
}
