/* cg: the smallest eigenvalue of a sparse matrix by inverse iteration, each step of which solves a system by
 * 25 steps of conjugate gradients (NAS CG).
 *
 * Each thread has a share of the rows, as private memory in compressed form, and the same share of each
 * vector. The matrix is a sum of outer products of sparse random vectors; each thread draws all vectors and
 * keeps the elements of its rows.
 *
 * Communication, each step of conjugate gradients: a thread's part of a vector lies in its shared memory, and
 * a directory holds the addresses of all parts. For the product with the matrix, which needs the whole vector
 * since the columns are random, a thread fetches all parts into private memory, all under way at once
 * (upc_memget_nbi). Two scalar products go over all threads (all_sum), and keep a thread from changing its
 * part while it is fetched; one barrier ensures that all parts are there. */
#include "nas.h"
#include "cg.h"

/* ---- vectors ------------------------------------------------------------------------------------------- */

/* The addresses of all threads' parts of the two vectors that are multiplied with the matrix. */
typedef shared[] double *part_t;
static part_t *p_parts, *z_parts;
static double *whole;             /* a fetched copy of one of them */
static double *p, *z, *r, *q, *x; /* this thread's parts; p and z as private memory */

static double product(const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < rows; i++)
        sum += a[i] * b[i];
    return all_sum(sum);
}

/* to += factor from */
static void add(double *to, double factor, const double *from) {
    for (int i = 0; i < rows; i++)
        to[i] += factor * from[i];
}

/* result = A v. After the next scalar product, of all threads, they may write to v again. */
static void multiply(const part_t *v, double *result) {
    upc_barrier;
    for (int step = 0; step < THREADS; step++) {
        int t = (MYTHREAD + step) % THREADS;
        upc_memget_nbi(whole + first_of(t, n), v[t], share_of(t, n) * sizeof(double));
    }
    upc_synci();
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int k = matrix.start[i]; k < matrix.start[i + 1]; k++)
            sum += matrix.value[k] * whole[matrix.column[k]];
        result[i] = sum;
    }
}

/* A vector in shared memory. Each thread has its own copy of the directory: each read of another host's
 * memory would cost a round trip. */
static part_t *make_parts(void) {
    static shared part_t directory[THREADS];
    part_t *parts = need(malloc(THREADS * sizeof *parts));
    directory[MYTHREAD] = (part_t)need_shared((rows + 1) * sizeof(double));
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        parts[t] = directory[t];
    upc_barrier;
    return parts;
}

static void make_vectors(void) {
    size_t size = (rows + 1) * sizeof(double);
    p_parts = make_parts();
    z_parts = make_parts();
    p = (double *)p_parts[MYTHREAD];
    z = (double *)z_parts[MYTHREAD];
    r = need(malloc(size));
    q = need(malloc(size));
    x = need(malloc(size));
    whole = need(malloc(n * sizeof *whole));
    for (int i = 0; i < rows; i++)
        x[i] = 1;
}

/* ---- the solver ---------------------------------------------------------------------------------------- */

/* z becomes an approximation of A^-1 x; returns ||x - A z||. */
static double solve(void) {
    memset(z, 0, rows * sizeof *z);
    memcpy(r, x, rows * sizeof *r);
    memcpy(p, x, rows * sizeof *p);
    double rho = product(r, r);
    for (int step = 0; step < STEPS; step++) {
        multiply(p_parts, q);
        double alpha = rho / product(p, q);
        add(z, alpha, p);
        add(r, -alpha, q);
        double before = rho;
        rho = product(r, r);
        for (int i = 0; i < rows; i++)
            p[i] = r[i] + rho / before * p[i];
    }
    multiply(z_parts, q);
    for (int i = 0; i < rows; i++)
        q[i] = x[i] - q[i];
    return sqrt(product(q, q));
}

int main(int argc, char **argv) {
    int chosen = read_class(argc, argv);
    class = &classes[chosen];
    n = class->n;
    rows = (int)share_of(MYTHREAD, n);
    first_row = (int)first_of(MYTHREAD, n);
    make_matrix();
    make_vectors();
    upc_barrier;
    double begin = seconds(), zeta = 0, residual = 0;
    for (int round = 0; round < class->rounds; round++) {
        residual = solve();
        zeta = class->shift + 1 / product(x, z);
        double length = sqrt(product(z, z));
        for (int i = 0; i < rows; i++)
            x[i] = z[i] / length;
    }
    double took = seconds() - begin;
    if (MYTHREAD == 0)
        printf("order %d, %d rounds, zeta %.12f, residual under 1e-12: %s\n", n, class->rounds, zeta,
               residual < 1e-12 ? "yes" : "no");
    double elements = all_sum(matrix.start[rows]);
    double operations = class->rounds * ((STEPS + 1) * 2 * elements + STEPS * 10.0 * n);
    return verdict("cg", chosen, agrees("zeta", zeta, class->zeta, 1e-10), took, operations);
}
