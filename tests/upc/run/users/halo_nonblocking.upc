// Heat on a line with halos: non-blocking puts into the neighbours' halos while the inner cells are computed,
// or plain stores if upc_cast allows them.
//: clause 7.6.1 p1
#include <math.h>
#include <upc_castable.h>
#include <upc_nb.h>
#include "../../check.h"

#define CELLS 40
#define STEPS 12
typedef struct { double left, cell[CELLS], right; } part;
shared part parts[2][THREADS];

static double start(int i) { return i % 10 == 0 ? 100 : i % 7; }

int main(void) {
    const int n = CELLS * THREADS;
    int castable = 0;
    double *a = malloc((n + 2) * sizeof *a), *b = malloc((n + 2) * sizeof *b);
    for (int i = 0; i < n + 2; i++)
        a[i] = b[i] = i == 0 || i == n + 1 ? 0 : start(i - 1);
    part *mine[2] = {(part *)&parts[0][MYTHREAD], (part *)&parts[1][MYTHREAD]};
    for (int i = 0; i < CELLS; i++)
        mine[0]->cell[i] = start(MYTHREAD * CELLS + i);
    mine[0]->left = mine[0]->right = mine[1]->left = mine[1]->right = 0;
    upc_barrier;
    for (int step = 0; step < STEPS; step++) {
        part *from = mine[step % 2], *to = mine[(step + 1) % 2];
        upc_handle_t handles[2] = {UPC_COMPLETE_HANDLE, UPC_COMPLETE_HANDLE};
        if (MYTHREAD > 0)
            handles[0] = upc_memput_nb(&parts[step % 2][MYTHREAD - 1].right, &from->cell[0], sizeof(double));
        if (MYTHREAD < THREADS - 1) {
            shared double *halo = (shared double *)&parts[step % 2][MYTHREAD + 1].left;
            double *direct = upc_cast(halo);
            if (direct && step % 3 == 0)
                *direct = from->cell[CELLS - 1], castable++;
            else
                handles[1] = upc_memput_nb(halo, &from->cell[CELLS - 1], sizeof(double));
        }
        for (int i = 1; i < CELLS - 1; i++)
            to->cell[i] = from->cell[i] + 0.25 * (from->cell[i - 1] - 2 * from->cell[i] + from->cell[i + 1]);
        while (!upc_sync_attempt(handles[0]))
            ;
        upc_sync(handles[1]);
        upc_barrier;
        int e = CELLS - 1;
        to->cell[0] = from->cell[0] + 0.25 * (from->left - 2 * from->cell[0] + from->cell[1]);
        to->cell[e] = from->cell[e] + 0.25 * (from->cell[e - 1] - 2 * from->cell[e] + from->right);
        upc_barrier;
        for (int i = 1; i <= n; i++)
            b[i] = a[i] + 0.25 * (a[i - 1] - 2 * a[i] + a[i + 1]);
        double *t = a;
        a = b, b = t;
        a[0] = a[n + 1] = 0;
    }
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < CELLS; i++)
            CHECK(fabs(parts[STEPS % 2][t].cell[i] - a[1 + t * CELLS + i]) < 1e-9);
    CHECK(castable <= STEPS);
    upc_barrier;
    free(a), free(b);
    return 0;
}
