/* Matrix multiplication in blocks that are passed around (Cannon), with split-phase and bulk transfers. */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>

#define B 6

static double value(int seed, int i, int j) { return (double)((i * 31 + j * 17 + seed) % 11); }

/* C[i][j] += A[i][k] * B[k][j] for blocks of doubles. */
static void accumulate(double c[B][B], double a[B][B], double b[B][B]) {
    int i, j, k;
    for (i = 0; i < B; i++)
        for (j = 0; j < B; j++)
            for (k = 0; k < B; k++)
                c[i][j] += a[i][k] * b[k][j];
}

void multiply(int n, double (*spread X)[B][B], double (*spread Y)[B][B], double (*spread Z)[B][B]) {
    int i, j, k;
    double(*a)[B] = malloc(2 * sizeof(double[B][B])), (*b)[B] = a + B;
    for_my_2d(i, j, n, n) {
        double(*c)[B] = tolocal(Z[i * n + j]);
        for (k = 0; k < n; k++) {
            int at = (i + j + k) % n;
            bulk_get(a, X[i * n + at], sizeof(double[B][B]));
            bulk_get(b, Y + at * n + j, sizeof(double[B][B]));
            sync();
            accumulate(c, a, b);
        }
    }
    barrier();
    free(a);
}

int splitc_main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 4, i, j, k;
    double X[n][n]::[B][B], Y[n][n]::[B][B], Z[n * n]::[B][B];
    for_my_2d(i, j, n, n) {
        double(*x)[B] = tolocal(X[i][j]), (*y)[B] = tolocal(Y[i][j]), (*z)[B] = tolocal(Z[i * n + j]);
        int r, c;
        for (r = 0; r < B; r++)
            for (c = 0; c < B; c++) {
                x[r][c] = value(1, i * B + r, j * B + c);
                y[r][c] = value(5, i * B + r, j * B + c);
                z[r][c] = 0;
            }
    }
    barrier();
    multiply(n, X[0], Y[0], Z);
    for (i = MYPROC; i < n * B; i += PROCS)
        for (j = 0; j < n * B; j++) {
            double sum = 0;
            for (k = 0; k < n * B; k++)
                sum += value(1, i, k) * value(5, k, j);
            if (Z[i / B * n + j / B][i % B][j % B] != sum) {
                printf("%d: element %d %d is wrong\n", MYPROC, i, j);
                return 1;
            }
        }
    barrier();
    on_one printf("the product is right\n");
    return 0;
}
