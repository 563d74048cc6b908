// y = A x with rows in blocks, x cyclic: all of it by shared indexing, then by privatised rows.
#include <upc_relaxed.h>
#include "../../check.h"

#define R 3
#define M 17
shared[R * M] double A[R * THREADS][M];
shared double x[M * THREADS];
shared[R] double y[R * THREADS], z[R * THREADS];

int main(void) {
    upc_forall(int i = 0; i < R * THREADS; i++; &A[i][0]) for (int j = 0; j < M; j++) A[i][j] = i - j;
    upc_forall(int j = 0; j < M; j++; &x[j]) x[j] = j;
    upc_barrier;
    upc_forall(int i = 0; i < R * THREADS; i++; &y[i]) {
        y[i] = 0;
        for (int j = 0; j < M; j++)
            y[i] += A[i][j] * x[j];
    }
    double own[M];
    for (int j = 0; j < M; j++)
        upc_memget(&own[j], &x[j], sizeof(double));
    for (int r = 0; r < R; r++) {
        double *row = (double *)&A[R * MYTHREAD + r][0], sum = 0;
        for (int j = 0; j < M; j++)
            sum += row[j] * own[j];
        *((double *)&z[R * MYTHREAD] + r) = sum;
    }
    upc_barrier;
    for (int i = 0; i < R * THREADS; i++) {
        double wanted = 0;
        for (int j = 0; j < M; j++)
            wanted += (i - j) * (double)j;
        CHECK(y[i] == wanted && z[i] == wanted);
    }
    return 0;
}
