/* Stencils as one writes them by hand for one machine, beside stencils.upc: loops of OpenMP over squares and
 * cubes of doubles with a border of one element. */
#include <omp.h>
#include <stdlib.h>

#define MEASURE_THREAD 0
#define MEASURE_BARRIER() ((void)0)
#define MEASURE_FIRST(value) (value)
#include "stencils.h"

static void five(long n, const double *restrict u, double *restrict v) {
    long w = n + 2;
#pragma omp parallel for schedule(static)
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++)
            v[i * w + j] = 0.2 * u[i * w + j] + 0.2 * u[(i - 1) * w + j] + 0.2 * u[(i + 1) * w + j] +
                           0.2 * u[i * w + j - 1] + 0.2 * u[i * w + j + 1];
}

static void seven(long n, const double *restrict u, double *restrict v) {
    long w = n + 2, p = w * w;
#pragma omp parallel for schedule(static)
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++)
            for (long k = 1, at = i * p + j * w + 1; k <= n; k++, at++)
                v[at] = 0.1 * u[at] + 0.1 * u[at - p] + 0.1 * u[at + p] + 0.1 * u[at - w] + 0.1 * u[at + w] +
                        0.1 * u[at - 1] + 0.1 * u[at + 1];
}

/* The new level replaces the one before, which is read at the same place. */
static void wave(long n, const double *restrict u, double *restrict v) {
    long w = n + 2, p = w * w;
#pragma omp parallel for schedule(static)
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++)
            for (long k = 1, at = i * p + j * w + 1; k <= n; k++, at++)
                v[at] = 0.1 * u[at] + 0.1 * u[at - p] + 0.1 * u[at + p] + 0.1 * u[at - w] + 0.1 * u[at + w] +
                        0.1 * u[at - 1] + 0.1 * u[at + 1] - 0.1 * v[at];
}

static inline double row(const double *u, double edge, double middle) {
    return edge * u[-1] + middle * u[0] + edge * u[1];
}

static void cube(long n, const double *restrict u, double *restrict v) {
    long w = n + 2, p = w * w;
#pragma omp parallel for schedule(static)
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++)
            for (long k = 1, at = i * p + j * w + 1; k <= n; k++, at++)
                v[at] = row(u + at - p - w, 0.02, 0.03) + row(u + at - p, 0.03, 0.04) +
                        row(u + at - p + w, 0.02, 0.03) + row(u + at - w, 0.03, 0.04) +
                        row(u + at, 0.04, 0.05) + row(u + at + w, 0.03, 0.04) +
                        row(u + at + p - w, 0.02, 0.03) + row(u + at + p, 0.03, 0.04) +
                        row(u + at + p + w, 0.02, 0.03);
}

/* The grid that is measured at the moment. */
static struct {
    int of;
    double *u, *v;
} grid = {.of = -1};

static int wanted[STENCILS];

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
    /* By those who compute with it, for the sake of machines whose memory has several nodes. */
#pragma omp parallel for schedule(static)
    for (size_t e = 0; e < elements; e++)
        grid.u[e] = grid.v[e] = 0;
}

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
