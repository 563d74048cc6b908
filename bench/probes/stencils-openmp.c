/* Stencils written by hand for one machine, the counterpart of stencils.upc: loops of OpenMP over squares and
 * cubes of doubles with a border of one element. */
#include <omp.h>
#include <stdlib.h>

#define MEASURE_THREAD 0
#define MEASURE_BARRIER() ((void)0)
#define MEASURE_FIRST(value) (value)
#include "stencils.h"

/* Coefficients: of the element itself, and of its neighbours that differ along one, two and three axes. */
static const double own = STENCILS_COEFFICIENT(0), face = STENCILS_COEFFICIENT(1),
                    edge = STENCILS_COEFFICIENT(2), corner = STENCILS_COEFFICIENT(3);

static void five(long n, const double *restrict u, double *restrict v) {
    long w = n + 2;
#pragma omp parallel for schedule(static)
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++)
            v[i * w + j] = own * u[i * w + j] + face * u[(i - 1) * w + j] + face * u[(i + 1) * w + j] +
                           face * u[i * w + j - 1] + face * u[i * w + j + 1];
}

static void seven(long n, const double *restrict u, double *restrict v) {
    long w = n + 2, p = w * w;
#pragma omp parallel for schedule(static)
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++)
            for (long k = 1, at = i * p + j * w + 1; k <= n; k++, at++)
                v[at] = own * u[at] + face * u[at - p] + face * u[at + p] + face * u[at - w] +
                        face * u[at + w] + face * u[at - 1] + face * u[at + 1];
}

/* The new time level replaces the one before, which is read at the same place. */
static void wave(long n, const double *restrict u, double *restrict v) {
    long w = n + 2, p = w * w;
#pragma omp parallel for schedule(static)
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++)
            for (long k = 1, at = i * p + j * w + 1; k <= n; k++, at++)
                v[at] = own * u[at] + face * u[at - p] + face * u[at + p] + face * u[at - w] +
                        face * u[at + w] + face * u[at - 1] + face * u[at + 1] + STENCILS_OLD * v[at];
}

static inline double row(const double *u, double beside, double middle) {
    return beside * u[-1] + middle * u[0] + beside * u[1];
}

static void cube(long n, const double *restrict u, double *restrict v) {
    long w = n + 2, p = w * w;
#pragma omp parallel for schedule(static)
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++)
            for (long k = 1, at = i * p + j * w + 1; k <= n; k++, at++)
                v[at] = row(u + at - p - w, corner, edge) + row(u + at - p, edge, face) +
                        row(u + at - p + w, corner, edge) + row(u + at - w, edge, face) +
                        row(u + at, face, own) + row(u + at + w, edge, face) +
                        row(u + at + p - w, corner, edge) + row(u + at + p, edge, face) +
                        row(u + at + p + w, corner, edge);
}

/* The grid of the current measurement. */
static struct {
    int of;
    double *u, *v;
} grid = {.of = -1};

static int wanted[STENCILS];

static void run(long turns) {
    int i = grid.of;
    for (long t = 0; t < turns; t++) {
        const double *u = t % 2 ? grid.v : grid.u;
        double *v = t % 2 ? grid.u : grid.v;
        (stencils[i].wave       ? wave
         : stencils[i].cube     ? cube
         : stencils[i].rank > 2 ? seven
                                : five)(stencils[i].side, u, v);
        MEASURE_FORGET();
    }
}

/* Returns the index of element (i, j, k) of the grid; k is 0 in two dimensions. */
static long place(int rank, long n, long i, long j, long k) {
    long w = n + 2;
    return rank > 2 ? ((i + 1) * w + j + 1) * w + k + 1 : (i + 1) * w + j + 1;
}

static void check(void) {
    int rank = stencils[grid.of].rank;
    long n = stencils[grid.of].side, deep = rank > 2 ? n : 1;
    double squares = 0;
    for (int end = 0; end < 2; end++) {
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++)
                for (long k = 0; k < deep; k++) {
                    double *u = &grid.u[place(rank, n, i, j, k)];
                    squares += end ? *u * *u : 0;
                    *u = end ? 0 : stencils_start(i, j, k);
                }
        if (!end)
            run(STENCILS_STEPS);
    }
    stencils_check(grid.of, squares);
}

static void prepare(void) {
    int i = wanted[probe_now - probe_points];
    if (grid.of == i)
        return;
    size_t elements = 1;
    for (int k = 0; k < stencils[i].rank; k++)
        elements *= (size_t)stencils[i].side + 2;
    free(grid.u);
    free(grid.v);
    grid.of = i;
    grid.u = malloc(elements * sizeof *grid.u);
    grid.v = malloc(elements * sizeof *grid.v);
    if (!grid.u || !grid.v) {
        fprintf(stderr, "no memory for two grids of %zu elements\n", elements);
        abort();
    }
    /* By the threads that compute with it, for machines whose memory has several nodes. */
#pragma omp parallel for schedule(static)
    for (size_t e = 0; e < elements; e++)
        grid.u[e] = grid.v[e] = 0;
    static int checked[STENCILS]; /* grids are made anew for each sample */
    if (!checked[i]++)
        check();
}

static void add_stencils(void) {
    int many = 0;
    for (int i = 0; i < STENCILS; i++) {
        if (!stencils_wanted(i) || stencils[i].regroup)
            continue;
        wanted[many++] = i;
        struct point point = stencils_point(i, "one step", omp_get_max_threads());
        point.prepare = prepare;
        point.run = run;
        probe_add(point);
    }
    probe_longer = STENCILS_LONGER;
}

int main(int argc, char **argv) {
    static const struct part parts[] = {{"stencils", add_stencils}};
    int code = PROBE_MAIN(argc, argv, parts);
    free(grid.u);
    free(grid.v);
    return code;
}
