/* Matrix multiplication by blocks, in the three versions of the tutorial: elements read, blocks read in
 * bulk, and blocks got one step ahead. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../check.h"
#define b 4
#define n 3
#define m (PROCS + 1)
#define r 2

double C[n][PROCS + 1]::[b][b], A[n][r]::[b][b], B[r][PROCS + 1]::[b][b];

double first(int i, int j) { return (i * 3 + j) % 7 - 2; }
double second(int i, int j) { return (i + j * j) % 5 * 0.5; }

void fill(void)
{
    int i, j, ii, jj;
    for_my_2d(i, j, n, r)
        for (ii = 0; ii < b; ii++)
            for (jj = 0; jj < b; jj++)
                A[i][j][ii][jj] = first(i * b + ii, j * b + jj);
    for_my_2d(i, j, r, m)
        for (ii = 0; ii < b; ii++)
            for (jj = 0; jj < b; jj++)
                B[i][j][ii][jj] = second(i * b + ii, j * b + jj);
}

void clear(void)
{
    int i, j, ii, jj;
    for_my_2d(i, j, n, m) {
        double (*c)[b] = (double (*)[b])tolocal(C[i][j]);
        for (ii = 0; ii < b; ii++)
            for (jj = 0; jj < b; jj++)
                c[ii][jj] = 0;
    }
    barrier();
}

void add_product(double c[b][b], double x[b][b], double y[b][b])
{
    int i, j, k;
    for (i = 0; i < b; i++)
        for (j = 0; j < b; j++)
            for (k = 0; k < b; k++)
                c[i][j] += x[i][k] * y[k][j];
}

void by_elements(void)
{
    int i, j, k, ii, jj, kk;
    for_my_2d(i, j, n, m)
        for (k = 0; k < r; k++)
            for (ii = 0; ii < b; ii++)
                for (jj = 0; jj < b; jj++)
                    for (kk = 0; kk < b; kk++)
                        C[i][j][ii][jj] += A[i][k][ii][kk] * B[k][j][kk][jj];
}

void by_blocks(void)
{
    int i, j, k;
    double x[b][b], y[b][b];
    for_my_2d(i, j, n, m) {
        double (*c)[b] = tolocal(C[i][j]);
        for (k = 0; k < r; k++) {
            bulk_read(x, A[i][k], sizeof x);
            bulk_read(y, B[k][j], sizeof y);
            add_product(c, x, y);
        }
    }
}

void by_gets_ahead(void)
{
    int i, j, k;
    double x[2][b][b], y[2][b][b];
    for_my_2d(i, j, n, m) {
        double (*c)[b] = (double (*)[b])tolocal(C[i][j]);
        bulk_get(x[0], A[i][0], sizeof x[0]);
        bulk_get(y[0], B[0][j], sizeof y[0]);
        for (k = 0; k < r; k++) {
            sync();
            if (k + 1 < r) {
                bulk_get(x[(k + 1) % 2], A[i][k + 1], sizeof x[0]);
                bulk_get(y[(k + 1) % 2], B[k + 1][j], sizeof y[0]);
            }
            add_product(c, x[k % 2], y[k % 2]);
        }
    }
}

splitc_main(int argc, char **argv)
{
    void (*versions[3])(void) = {by_elements, by_blocks, by_gets_ahead};
    int v, i, j, k;
    fill();
    for (v = 0; v < 3; v++) {
        clear();
        versions[v]();
        barrier();
        for (i = 0; i < n * b; i++)
            for (j = MYPROC; j < m * b; j += PROCS) {
                double sum = 0;
                for (k = 0; k < r * b; k++)
                    sum += first(i, k) * second(k, j);
                CHECK(C[i / b][j / b][i % b][j % b] == sum);
            }
        barrier();
    }
    return 0;
}
