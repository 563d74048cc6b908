/* A seven-point stencil on a cube distributed by planes, two cubes in turn, against a serial cube. */
//: clause 6.6.2 p13
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define N 10
#define PLANES (3 * THREADS)
shared [N*N] double grids[2][3*THREADS][N][N];

static double start(int z, int y, int x) { return (z * 31 + y * 17 + x * 7) % 23; }

int main(void) {
    int x, y, z, step, from = 0;
    static double (*a)[N][N], (*b)[N][N];

    upc_forall (z = 0; z < PLANES; z++; &grids[0][z][0][0])
        for (y = 0; y < N; y++)
            for (x = 0; x < N; x++)
                grids[0][z][y][x] = start(z, y, x);
    upc_forall (z = 0; z < PLANES; z++; &grids[1][z][0][0])
        for (y = 0; y < N; y++)
            for (x = 0; x < N; x++)
                grids[1][z][y][x] = start(z, y, x);
    upc_barrier;

    for (step = 0; step < 4; step++) {
        upc_forall (z = 1; z < PLANES - 1; z++; &grids[1 - from][z][0][0])
            for (y = 1; y < N - 1; y++)
                for (x = 1; x < N - 1; x++)
                    grids[1 - from][z][y][x] =
                        (grids[from][z][y][x] * 2 + grids[from][z - 1][y][x] + grids[from][z + 1][y][x]
                         + grids[from][z][y - 1][x] + grids[from][z][y + 1][x]
                         + grids[from][z][y][x - 1] + grids[from][z][y][x + 1]) / 8;
        from = 1 - from;
        upc_barrier;
    }

    a = malloc(sizeof(double[PLANES][N][N]));
    b = malloc(sizeof(double[PLANES][N][N]));
    for (z = 0; z < PLANES; z++)
        for (y = 0; y < N; y++)
            for (x = 0; x < N; x++)
                a[z][y][x] = b[z][y][x] = start(z, y, x);
    for (step = 0; step < 4; step++) {
        double (*t)[N][N] = a;
        for (z = 1; z < PLANES - 1; z++)
            for (y = 1; y < N - 1; y++)
                for (x = 1; x < N - 1; x++)
                    b[z][y][x] = (a[z][y][x] * 2 + a[z - 1][y][x] + a[z + 1][y][x] + a[z][y - 1][x]
                                  + a[z][y + 1][x] + a[z][y][x - 1] + a[z][y][x + 1]) / 8;
        a = b;
        b = t;
    }
    for (z = 0; z < PLANES; z++)
        for (y = 0; y < N; y++)
            for (x = 0; x < N; x++)
                if (fabs(grids[from][z][y][x] - a[z][y][x]) > 1e-12) {
                    printf("%d: [%d][%d][%d] %g %g\n", MYTHREAD, z, y, x, grids[from][z][y][x], a[z][y][x]);
                    return 1;
                }
    free(a);
    free(b);
    return 0;
}
