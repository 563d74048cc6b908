/* Poisson's equation on a torus by multigrid: V-cycles of a five-point operator, with half as many cells
 * along each axis on each coarser level. The blocks of the finest level are multiples of the area of a
 * coarsest cell, and the blocks of every coarser level have half the size, on the same processes. So a cell
 * and its four finer cells lie in one process, and only the smoother communicates, by a stencil with a
 * function of the program. Thread 0 runs the same cycles serially and compares. */
#include <meridian/meridian.h>
#include <meridian/stencil.h>
#include <math.h>

#include "picture.h"

#define N 64
#define LEVELS 5 /* the coarsest has 4 x 4 cells */
#define CYCLES 12
#define SMOOTH 2
#define OMEGA 0.8

static double right_hand_side(int i, int j) {
    return sin(2 * M_PI * i / N) * cos(4 * M_PI * j / N) + (i == N / 4 && j == N / 2) -
           (i == N / 2 && j == N / 4);
}

/* A level's function of neighbours, by which the stencil and the serial program compute alike: one damped
 * Jacobi step of  4 u - (its neighbours) = h^2 f,  or the residual. */
#define SUM(up, down, left, right) ((up) + (down) + (left) + (right))
#define JACOBI(here, sum, f, h2) ((1 - OMEGA) * (here) + OMEGA / 4 * ((sum) + (h2) * (f)))
#define RESIDUAL(here, sum, f, h2) ((f) - (4 * (here) - (sum)) / (h2))

/* ---- distributed --------------------------------------------------------------------------------------- */

struct level {
    int n;
    double h2;
    mer_array *u, *other, *f;
    mer_stencil *smoother, *residual;
    struct mer_array_info info; /* of f, which is without halo */
};
static struct level level[LEVELS];

static const double *f_at(const struct level *l, const long *index) {
    return (const double *)((const char *)l->info.local + (index[0] - l->info.first[0]) * l->info.stride[0]) +
           (index[1] - l->info.first[1]);
}

#define ROWS(name, formula)                                                                                  \
    static void name(void *out, const void *in, const ptrdiff_t *step, long n, const long *index,            \
                     void *context) {                                                                        \
        const struct level *l = context;                                                                     \
        const double *u = in, *f = f_at(l, index);                                                           \
        double *to = out;                                                                                    \
        for (long j = 0; j < n; j++)                                                                         \
            to[j] = formula(u[j], SUM(u[j - step[0]], u[j + step[0]], u[j - 1], u[j + 1]), f[j], l->h2);     \
    }
ROWS(smooth_rows, JACOBI)
ROWS(residual_rows, RESIDUAL)

static void make_level(int k) {
    struct level *l = &level[k];
    struct mer_array_spec spec = {.type = MER_FLOAT64, .rank = 2, .extent = {N >> k, N >> k}};
    l->n = N >> k;
    l->h2 = 1.0 / l->n / l->n;
    for (int a = 0; a < 2 && k > 0; a++) {
        spec.axis[a].processes = level[0].info.processes[a];
        spec.axis[a].block = level[0].info.block[a] >> k;
    }
    if (k == 0) { /* the grid of processes that the geometry manager chooses, with blocks that halve */
        mer_array *probe = mer_array_create(&spec);
        mer_array_describe(probe, mer_mythread(), &l->info);
        mer_array_free(probe);
        for (int a = 0; a < 2; a++) {
            long unit = 1 << (LEVELS - 1);
            spec.axis[a].processes = l->info.processes[a];
            spec.axis[a].block = (l->info.block[a] + unit - 1) / unit * unit;
        }
    }
    l->f = mer_array_create(&spec);
    mer_array_describe(l->f, mer_mythread(), &l->info);
    spec.axis[0].halo = spec.axis[1].halo = 1;
    l->u = mer_array_create(&spec);
    l->other = mer_array_like(l->u, NULL);
    struct mer_stencil_spec stencil = {.rows = smooth_rows, .context = l, .radius = {1, 1}};
    l->smoother = mer_stencil_create(l->u, &stencil);
    stencil.rows = residual_rows;
    l->residual = mer_stencil_create(l->u, &stencil);
}

static double *cell(const mer_array *a, long i, long j) { /* of this thread's part */
    struct mer_array_info x;
    mer_array_describe(a, mer_mythread(), &x);
    return (double *)((char *)x.local + i * x.stride[0]) + j;
}

static void smooth(struct level *l) {
    mer_array *now = mer_stencil_run(l->smoother, l->u, l->other, SMOOTH);
    l->other = now == l->u ? l->other : l->u;
    l->u = now;
}

static void cycle(int k) {
    struct level *l = &level[k], *coarse = &level[k + 1];
    double zero = 0;
    smooth(l);
    if (k + 1 < LEVELS) {
        mer_stencil_run(l->residual, l->u, l->other, 1); /* into other */
        mer_array_fill(coarse->u, &zero);
        for (long i = 0; i < coarse->info.count[0]; i++)
            for (long j = 0; j < coarse->info.count[1]; j++) {
                const double *r = cell(l->other, 2 * i, 2 * j), *s = cell(l->other, 2 * i + 1, 2 * j);
                *cell(coarse->f, i, j) = 0.25 * SUM(r[0], r[1], s[0], s[1]);
            }
        cycle(k + 1);
        for (long i = 0; i < l->info.count[0]; i++)
            for (long j = 0; j < l->info.count[1]; j++)
                *cell(l->u, i, j) += *cell(coarse->u, i / 2, j / 2);
    }
    smooth(l);
}

/* ---- serial -------------------------------------------------------------------------------------------- */

static double serial_u[LEVELS][N * N], serial_f[LEVELS][N * N], work[N * N];

static double neighbours(const double *u, int n, int i, int j) {
    return SUM(u[(i + n - 1) % n * n + j], u[(i + 1) % n * n + j], u[i * n + (j + n - 1) % n],
               u[i * n + (j + 1) % n]);
}

static void serial_smooth(int k) {
    int n = N >> k;
    for (int s = 0; s < SMOOTH; s++) {
        for (int i = 0; i < n * n; i++)
            work[i] = JACOBI(serial_u[k][i], neighbours(serial_u[k], n, i / n, i % n), serial_f[k][i],
                             1.0 / n / n);
        memcpy(serial_u[k], work, (size_t)(n * n) * sizeof *work);
    }
}

static void serial_residual(int k) {
    int n = N >> k;
    for (int i = 0; i < n * n; i++)
        work[i] = RESIDUAL(serial_u[k][i], neighbours(serial_u[k], n, i / n, i % n), serial_f[k][i],
                           1.0 / n / n);
}

static void serial_cycle(int k) {
    int n = N >> k, half = n / 2;
    serial_smooth(k);
    if (k + 1 < LEVELS) {
        serial_residual(k);
        for (int i = 0; i < half; i++)
            for (int j = 0; j < half; j++) {
                const double *r = &work[2 * i * n + 2 * j];
                serial_f[k + 1][i * half + j] = 0.25 * SUM(r[0], r[1], r[n], r[n + 1]);
                serial_u[k + 1][i * half + j] = 0;
            }
        serial_cycle(k + 1);
        for (int i = 0; i < n * n; i++)
            serial_u[k][i] += serial_u[k + 1][i / n / 2 * half + i % n / 2];
    }
    serial_smooth(k);
}

/* ---- both ---------------------------------------------------------------------------------------------- */

static int check(const double *whole, const char *picture) {
    double most = 0, residual = 0, first = 0;
    for (int c = 0; c < CYCLES; c++)
        serial_cycle(0);
    serial_residual(0);
    for (int i = 0; i < N * N; i++) {
        most = fmax(most, fabs(whole[i] - serial_u[0][i]));
        residual = fmax(residual, fabs(work[i]));
        first = fmax(first, fabs(serial_f[0][i]));
    }
    int wrong = !(most < 1e-13) || !(residual < 1e-5 * first);
    printf("multigrid: %d cycles of %d levels, the residual is %.0e of what it was, %s\n", CYCLES, LEVELS,
           residual / first, wrong ? "WRONG" : "ok");
    return wrong || (picture && picture_of(picture, whole, N, N, -0.01, 0.01));
}

int main(int argc, char **argv) {
    double *whole = malloc(N * N * sizeof *whole), zero = 0;
    for (int i = 0; i < N * N; i++)
        whole[i] = serial_f[0][i] = right_hand_side(i / N, i % N);
    for (int k = 0; k < LEVELS; k++)
        make_level(k);
    mer_array_fill(level[0].u, &zero);
    mer_array_scatter(level[0].f, whole, 0);
    for (int c = 0; c < CYCLES; c++)
        cycle(0);
    mer_array_gather(level[0].u, whole, 0);
    if (mer_mythread() == 0 && check(whole, argc > 1 ? argv[1] : NULL))
        mer_global_exit(1);
    for (int k = 0; k < LEVELS; k++) {
        mer_stencil_free(level[k].smoother);
        mer_stencil_free(level[k].residual);
        mer_array_free(level[k].f);
        mer_array_free(level[k].u);
        mer_array_free(level[k].other);
    }
    free(whole);
    return 0;
}
