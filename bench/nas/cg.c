/* NAS CG, the counterpart of examples/nas/cg.upc: with OpenMP, loops over all rows; with MPI, a share of the
 * rows for each process, one MPI_Allgatherv for each product with the matrix and two MPI_Allreduce for each
 * step, as in UPC. */
#include "../c/parallel.h"
#include "../../examples/nas/cg.h"

static double *p, *z, *r, *q, *x; /* the parts of this process */
#ifdef WITH_MPI
static double *gathered;
static int *lengths, *places;
#endif

/* Returns the whole vector of which each process has a part. */
static const double *whole(const double *part) {
#ifdef WITH_MPI
    MPI_Allgatherv(part, rows, MPI_DOUBLE, gathered, lengths, places, MPI_DOUBLE, MPI_COMM_WORLD);
    return gathered;
#else
    return part;
#endif
}

/* Computes result = A v. Returns the scalar product of result and v. */
static double multiply(const double *v, double *result) {
    const double *all = whole(v);
    double product = 0;
#pragma omp parallel for reduction(+ : product)
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int k = matrix.start[i]; k < matrix.start[i + 1]; k++)
            sum += matrix.value[k] * all[matrix.column[k]];
        result[i] = sum;
        product += sum * v[i];
    }
    return product;
}

/* Makes z an approximation of A^-1 x. Returns ||x - A z||. */
static double solve(void) {
    double rho = 0, square = 0;
#pragma omp parallel for reduction(+ : rho)
    for (int i = 0; i < rows; i++) {
        z[i] = 0;
        r[i] = p[i] = x[i];
        rho += x[i] * x[i];
    }
    rho = all_sum(rho);
    for (int step = 0; step < STEPS; step++) {
        double alpha = rho / all_sum(multiply(p, q)), before = rho;
        rho = 0;
#pragma omp parallel for reduction(+ : rho)
        for (int i = 0; i < rows; i++) {
            z[i] += alpha * p[i];
            r[i] -= alpha * q[i];
            rho += r[i] * r[i];
        }
        rho = all_sum(rho);
#pragma omp parallel for
        for (int i = 0; i < rows; i++)
            p[i] = r[i] + rho / before * p[i];
    }
    multiply(z, q);
#pragma omp parallel for reduction(+ : square)
    for (int i = 0; i < rows; i++)
        square += (x[i] - q[i]) * (x[i] - q[i]);
    return sqrt(all_sum(square));
}

static void make_vectors(void) {
    double **vectors[] = {&p, &z, &r, &q, &x};
    for (int i = 0; i < 5; i++)
        *vectors[i] = need(calloc(rows + 1, sizeof(double)));
    for (int i = 0; i < rows; i++)
        x[i] = 1;
#ifdef WITH_MPI
    gathered = need(malloc(n * sizeof *gathered));
    lengths = need(malloc(processes * sizeof *lengths));
    places = need(malloc(processes * sizeof *places));
    for (int t = 0; t < processes; t++) {
        lengths[t] = (int)share_of(t, n);
        places[t] = (int)first_of(t, n);
    }
#endif
}

int main(int argc, char **argv) {
    class = &classes[parallel_begin(argc, argv, "SWA")];
    n = class->n;
    rows = (int)share_of(rank, n);
    first_row = (int)first_of(rank, n);
    make_matrix();
    make_vectors();
    all_wait();
    double begin = seconds(), zeta = 0, residual = 0;
    for (int round = 0; round < class->rounds; round++) {
        residual = solve();
        double xz = 0, zz = 0;
#pragma omp parallel for reduction(+ : xz, zz)
        for (int i = 0; i < rows; i++) {
            xz += x[i] * z[i];
            zz += z[i] * z[i];
        }
        zeta = class->shift + 1 / all_sum(xz);
        double length = sqrt(all_sum(zz));
#pragma omp parallel for
        for (int i = 0; i < rows; i++)
            x[i] = z[i] / length;
    }
    double took = seconds() - begin;
    if (rank == 0)
        printf("zeta %.12f, residual %.1e\n", zeta, residual);
    double elements = all_sum(matrix.start[rows]);
    double operations = class->rounds * ((STEPS + 1) * 2 * elements + STEPS * 10.0 * n);
    return verdict("cg", agrees("zeta", zeta, class->zeta, 1e-10), took, operations);
}
