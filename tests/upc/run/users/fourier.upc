// A two-dimensional Fourier transform of complex numbers in shared memory: rows, a transposition by blocks,
// rows again; against the sums of the definition.
//: clause 6.5.2 p2
#include <complex.h>
#include <math.h>
#include "../../check.h"

#define N 8 /* a power of two */
#define ROWS (N * THREADS)
typedef double complex number;
shared[N] number m[N * THREADS][N]; /* N * THREADS transforms of length N */
shared[N] number t[N * THREADS][N];

static void transform(number *x, int n) {
    if (n == 1)
        return;
    number even[n / 2], odd[n / 2];
    for (int i = 0; i < n / 2; i++)
        even[i] = x[2 * i], odd[i] = x[2 * i + 1];
    transform(even, n / 2);
    transform(odd, n / 2);
    for (int i = 0; i < n / 2; i++) {
        number w = cexp(-2 * acos(-1) * I * i / n) * odd[i];
        x[i] = even[i] + w;
        x[i + n / 2] = even[i] - w;
    }
}

static number value(int s, int i, int j) { return (i * 3 + j * j + s) % 7 + I * ((i * j) % 5); }

int main(void) {
    /* Square s of N by N values: rows s * N ... */
    for (int i = MYTHREAD; i < ROWS; i += THREADS)
        for (int j = 0; j < N; j++)
            m[i][j] = value(i / N, i % N, j);
    upc_barrier;
    upc_forall (int i = 0; i < ROWS; i++; &m[i][0])
        transform((number *)&m[i][0], N);
    upc_barrier;
    upc_forall (int i = 0; i < ROWS; i++; &t[i][0])
        for (int j = 0; j < N; j++)
            t[i][j] = m[i / N * N + j][i % N];
    upc_forall (int i = 0; i < ROWS; i++; &t[i][0])
        transform((number *)t[i], N);
    upc_barrier;
    for (int s = 0; s < THREADS; s += THREADS > 2 ? THREADS - 1 : 1)
        for (int u = 0; u < N; u++)
            for (int v = 0; v < N; v++) {
                number want = 0;
                for (int i = 0; i < N; i++)
                    for (int j = 0; j < N; j++)
                        want += value(s, i, j) * cexp(-2 * acos(-1) * I * (u * i + v * j) / N);
                number got = t[s * N + v][u];
                CHECK(cabs(got - want) < 1e-9);
                CHECK(fabs(creal(t[s * N + v][u]) - creal(want)) < 1e-9);
            }
    if (MYTHREAD == 0) {
        m[ROWS - 1][N - 1] *= 2 * I;
        m[ROWS - 1][0] += 1;
        __real__ m[ROWS - 1][1] = 4;
    }
    upc_barrier;
    CHECK(creal(m[ROWS - 1][1]) == 4);
    return 0;
}
