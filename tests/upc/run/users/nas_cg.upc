// Conjugate gradients on a sparse symmetric matrix: rows in blocks, sums by upc_all_reduceD; the direction
// is copied to all. A serial solver gives the same iterates.
//: clause 7.4.3.1 p1
#include "../../check.h"
#include <math.h>
#include <upc_collective.h>

#define ROWS 24
#define NZ 5

typedef struct { int col[NZ]; double val[NZ]; } row_t;

shared[ROWS] row_t a[ROWS * THREADS];
shared[ROWS] double p[ROWS * THREADS], q[ROWS * THREADS], r[ROWS * THREADS], z[ROWS * THREADS];
shared double part[THREADS];
shared double sum_one;
shared[] double *shared all_p[THREADS];

/* A ring and chords, diagonally dominant: element (i, j) as a function. */
static void row(int i, int n, row_t *to) {
    int at[NZ] = {i, (i + 1) % n, (i + n - 1) % n, (i + n / 2) % n, (i + (n + 1) / 2) % n};
    for (int k = 0; k < NZ; k++) {
        to->col[k] = at[k];
        to->val[k] = k == 0 ? 6.0 + 0.5 : k < 3 ? -1.0 : -0.75;
    }
}

static double sum(double mine) {
    part[MYTHREAD] = mine;
    upc_all_reduceD(&sum_one, part, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    double all = sum_one;
    upc_barrier;
    return all;
}

static double dot(shared[ROWS] double *x, shared[ROWS] double *y) {
    double s = 0;
    upc_forall (int i = 0; i < ROWS * THREADS; i++; &x[i])
        s += x[i] * y[i];
    return sum(s);
}

static void multiply(void) {
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        upc_memcpy(all_p[MYTHREAD] + t * ROWS, &p[t * ROWS], ROWS * sizeof(double));
    const double *full = (double *)all_p[MYTHREAD];
    upc_forall (int i = 0; i < ROWS * THREADS; i++; &q[i]) {
        double s = 0;
        for (int k = 0; k < NZ; k++)
            s += a[i].val[k] * full[a[i].col[k]];
        q[i] = s;
    }
}

int main(void) {
    const int n = ROWS * THREADS;
    row_t *serial = malloc(n * sizeof *serial);
    double *sp = calloc(n, 8), *sq = calloc(n, 8), *sr = calloc(n, 8), *sz = calloc(n, 8);
    all_p[MYTHREAD] = upc_alloc(n * sizeof(double));
    upc_forall (int i = 0; i < n; i++; &a[i]) {
        row_t mine;
        row(i, n, &mine);
        a[i] = mine;
        p[i] = r[i] = 1 + i * i % 7 + i % 4;
        z[i] = 0;
    }
    for (int i = 0; i < n; i++) {
        row(i, n, &serial[i]);
        sp[i] = sr[i] = 1 + i * i % 7 + i % 4;
    }
    upc_barrier;
    double rho = dot(r, r), srho = 0;
    for (int i = 0; i < n; i++)
        srho += sr[i] * sr[i];
    CHECK(fabs(rho - srho) < 1e-9 * srho);
    for (int step = 0; step < 5; step++) {
        multiply();
        double alpha = rho / dot(p, q), before = rho;
        upc_forall (int i = 0; i < n; i++; &z[i]) {
            z[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        rho = dot(r, r);
        upc_forall (int i = 0; i < n; i++; &p[i])
            p[i] = r[i] + rho / before * p[i];

        double spq = 0, snew = 0;
        for (int i = 0; i < n; i++) {
            sq[i] = 0;
            for (int k = 0; k < NZ; k++)
                sq[i] += serial[i].val[k] * sp[serial[i].col[k]];
            spq += sp[i] * sq[i];
        }
        for (int i = 0; i < n; i++) {
            sz[i] += srho / spq * sp[i];
            sr[i] -= srho / spq * sq[i];
            snew += sr[i] * sr[i];
        }
        for (int i = 0; i < n; i++)
            sp[i] = sr[i] + snew / srho * sp[i];
        srho = snew;
        CHECK(fabs(rho - srho) <= 1e-6 * (1 + srho));
    }
    upc_barrier;
    for (int i = 0; i < n; i++)
        CHECK(fabs(z[i] - sz[i]) < 1e-7);
    upc_barrier;
    upc_free(all_p[MYTHREAD]);
    free(serial), free(sp), free(sq), free(sr), free(sz);
    return 0;
}
