// [THREADS * B][N] arrays with whole rows, half rows and tiles as blocks: products, transposes and
// norms, by subscripts, by pointers to rows, and by local pointers, all against private matrices.
//: clause 6.4.2 p4
#include "../../check.h"
#include <math.h>

#define B 2
#define N 6
#define M (B * THREADS)

shared [B * N] double rows[B * THREADS][N];
shared [N / 2] double halves[THREADS * B][N];
shared [N] int cube[THREADS][3][N];
shared [*] double whole[THREADS][N];
shared double norm[THREADS];
shared [B] double scaled[B * THREADS];

static double entry(int i, int j) { return 1.0 + i * 0.5 - j * 0.25; }

int main(void) {
    /* Whole rows: B rows lie on each thread. */
    upc_forall (int i = 0; i < M; i++; &rows[i][0]) {
        CHECK_EQ(i / B, MYTHREAD);
        double *mine = (double *)&rows[i][0];
        for (int j = 0; j < N; j++)
            mine[j] = entry(i, j);
    }
    /* Half rows: their owner changes in the middle of a row. */
    for (int i = 0; i < M; i++)
        upc_forall (int j = 0; j < N; j++; &halves[i][j]) {
            CHECK_EQ((i * N + j) / (N / 2) % THREADS, MYTHREAD);
            halves[i][j] = entry(j, i);
        }
    for (int t = 0; t < THREADS; t++)
        for (int k = 0; k < 3; k++)
            upc_forall (int j = 0; j < N; j++; &cube[t][k][j])
                cube[t][k][j] = t * 100 + k * 10 + j;
    upc_forall (int t = 0; t < THREADS; t++; t)
        for (int j = 0; j < N; j++)
            whole[t][j] = entry(t, j);
    upc_barrier;

    /* y = A x on the owners of the rows. */
    double x[N];
    for (int j = 0; j < N; j++)
        x[j] = j + 1;
    upc_forall (int i = 0; i < B * THREADS; i++; &scaled[i]) {
        scaled[i] = 0;
        for (int j = 0; j < N; j++)
            scaled[i] += rows[i][j] * x[j];
    }
    norm[MYTHREAD] = 0;
    upc_forall (int i = 0; i < M; i++; &rows[i])
        for (int j = 0; j < N; j++)
            norm[MYTHREAD] += halves[i][j] * halves[i][j];
    upc_barrier;

    double all = 0, wanted = 0;
    for (int i = 0; i < M; i++) {
        double y = 0;
        for (int j = 0; j < N; j++) {
            CHECK(rows[i][j] == entry(i, j));
            CHECK(halves[i][j] == entry(j, i));
            y += entry(i, j) * x[j];
            wanted += entry(j, i) * entry(j, i);
        }
        CHECK(fabs(scaled[i] - y) < 1e-9);
    }
    for (int t = 0; t < THREADS; t++)
        all += norm[t];
    CHECK(fabs(all - wanted) < 1e-6);

    /* Pointers to rows and to the elements of rows, over the borders of blocks. */
    shared [B * N] double(*row)[N] = rows;
    for (int i = 0; i < M; i++, row++) {
        CHECK_EQ(upc_threadof(&(*row)[0]), i / B);
        CHECK_EQ(upc_phaseof(&(*row)[1]), i % B * N + 1);
        CHECK((*row)[N - 1] == entry(i, N - 1));
    }
    CHECK_EQ(row - rows, M);
    shared [N / 2] double *e = &halves[0][0];
    for (int k = 0; k < M * N; k++)
        CHECK(e[k] == entry(k % N, k / N));
    shared [N] int *c = &cube[0][0][0];
    for (int k = THREADS * 3 * N - 1; k >= 0; k--) {
        CHECK_EQ(c[k], k / (3 * N) * 100 + k / N % 3 * 10 + k % N);
        CHECK_EQ(upc_threadof(c + k), k / N % THREADS);
    }
    for (int t = 0; t < THREADS; t++)
        for (int j = 0; j < N; j++)
            CHECK(whole[t][j] == entry(t, j));
    CHECK_EQ(upc_blocksizeof(whole), N);
    CHECK_EQ(sizeof rows[0], N * sizeof(double));
    CHECK_EQ(upc_localsizeof(rows), B * N * sizeof(double));
    return 0;
}
