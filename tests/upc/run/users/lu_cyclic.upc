// LU decomposition without pivoting: rows distributed in turn, the pivot row broadcast by its owner to
// a private copy, flags and split barriers between steps.
//: clause 6.6.1 p5
#include <math.h>
#include "../../check.h"

#define N 24
shared[N] double a[N * THREADS][N];
static double serial[N][N];
static double start(int i, int j, int n) { return i == j ? n + 3.0 : ((i * 7 + j * 3) % 11) / 4.0; }

int main(void) {

    for (int i = MYTHREAD; i < N; i += THREADS)
        for (int j = 0; j < N; j++)
            a[i][j] = start(i, j, N);
    upc_barrier;
    for (int k = 0; k < N - 1; k++) {
        double pivot[N];
        upc_memget(pivot, &a[k], sizeof pivot);
        int first = k + 1;
        for (int i = first; i < N; i++) {
            if (upc_threadof(&a[i][0]) != MYTHREAD)
                continue;
            double *row = (double *)a[i];
            row[k] /= pivot[k];
            for (int j = k + 1; j < N; j++)
                row[j] -= row[k] * pivot[j];
        }
        upc_notify k;
        /* Work that does not depend on the others is done here. */
        for (int i = first; i < N; i++)
            for (int j = 0; j < N && k == 0; j++)
                serial[i][j] = start(i, j, N);
        upc_wait k;
    }
    for (int j = 0; j < N; j++)
        serial[0][j] = start(0, j, N);
    for (int k = 0; k < N - 1; k++)
        for (int i = k + 1; i < N; i++) {
            serial[i][k] /= serial[k][k];
            for (int j = k + 1; j < N; j++)
                serial[i][j] -= serial[i][k] * serial[k][j];
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            CHECK(fabs(a[i][j] - serial[i][j]) <= 1e-9 * (1 + fabs(serial[i][j])));
    return 0;
}
