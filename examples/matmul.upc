/* matmul: C = A * B with matrices in shared memory.
 *
 * A and C lie by rows: [N] gives whole rows to the threads in turn, so each thread computes its own rows of
 * C from its own rows of A. Every thread needs all of B: each thread fetches it row by row in blocks
 * (upc_memget) into private memory, which is far better than N * N reads an element. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define N 96
#define ROWS ((N + THREADS - 1) / THREADS) /* the most rows of a thread */

/* In the dynamic environment the number of rows is a multiple of THREADS; rows past N are not used. */
shared[N] double A[N * THREADS][N], B[N * THREADS][N], C[N * THREADS][N];

/* Row i, as private memory of its owner. */
static double *own(shared[N] double *row) { return (double *)row; }

static void fill(void) {
    upc_forall(int i = 0; i < N; i++; &A[i][0]) for (int j = 0; j < N; j++) {
        A[i][j] = i + j;
        B[i][j] = i == j ? 2 : j == i + 1 ? 1 : 0; /* twice the column, and its left neighbour */
    }
    upc_barrier;
}

static void multiply(void) {
    static double b[N][N];
    for (int k = 0; k < N; k++)
        upc_memget(b[k], &B[k][0], sizeof b[k]);
    upc_forall(int i = 0; i < N; i++; &C[i][0]) {
        double *a = own(A[i]), *c = own(C[i]);
        for (int j = 0; j < N; j++)
            c[j] = 0;
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                c[j] += a[k] * b[k][j];
    }
    upc_barrier;
}

int main(void) {
    fill();
    multiply();
    int wrong = 0;
    if (MYTHREAD == 0) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                wrong += C[i][j] != 2.0 * (i + j) + (j > 0 ? i + j - 1 : 0);
        printf("%d x %d matrices, %d wrong elements; C[5][7] is %g\n", N, N, wrong, C[5][7]);
    }
    return wrong != 0;
}
