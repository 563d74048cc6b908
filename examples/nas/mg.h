/* mg: the sizes, the published norms, the operators on a row, and the charges. Serial C, included by
 * mg.upc and by the versions with OpenMP and MPI of `meridian bench nas`. */
#ifndef NAS_MG_H
#define NAS_MG_H

#include "random.h"

#define SEED 314159265UL
#define MOST_LEVELS 8
#define CHARGES 10 /* of each sign */

static const struct {
    int levels, cycles;
    double norm;
} classes[] = {
    {5, 4, 0.5307707005734e-04},
    {7, 4, 0.6467329375339e-05},
    {8, 4, 0.2433365309069e-05},
};

/* The weights of a point, its 6 nearest, 12 next and 8 farthest neighbours. */
static const double minus_laplace[4] = {8.0 / 3, 0, -1.0 / 6, -1.0 / 12};
static const double smoother[4] = {-3.0 / 8, 1.0 / 32, -1.0 / 64, 0};
static const double projection[4] = {1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16};

/* For each i of row j of three planes, sums the next and the diagonal points in the rows around. */
static void gather_row(const double *before, const double *here, const double *after, long row, long j,
                       long n, double *restrict next, double *restrict across) {
    for (long i = j * row - 1, to = 0; to < n + 2; i++, to++) {
        next[to] = here[i - row] + here[i + row] + before[i] + after[i];
        across[to] = before[i - row] + before[i + row] + after[i - row] + after[i + row];
    }
}

/* A row of base + the weights w applied to x; gather_row has gathered `next' and `across' of x. */
static void apply_row(const double *w, const double *x, const double *base, double *result,
                      const double *restrict next, const double *restrict across, long n) {
    for (long i = 0; i < n; i++)
        result[i] = base[i] + w[0] * x[i] + w[1] * (x[i - 1] + x[i + 1] + next[i]) +
                    w[2] * (across[i] + next[i - 1] + next[i + 1]) + w[3] * (across[i - 1] + across[i + 1]);
}

/* A row of n points of the coarse grid from the row of the fine one on which it lies. */
static void project_row(const double *x, double *result, const double *restrict next,
                        const double *restrict across, long n) {
    const double *w = projection;
    for (long to = 0, i = 1; to < n; to++, i += 2)
        result[to] = w[0] * x[i] + w[1] * (x[i - 1] + x[i + 1] + next[i]) +
                     w[2] * (across[i] + next[i - 1] + next[i + 1]) + w[3] * (across[i - 1] + across[i + 1]);
}

/* Adds to row j of a plane of the fine grid the interpolation from the two coarse planes beside it;
 * `mean' is a buffer for a coarse row. */
static void interpolate_row(const double *before, const double *after, double *result, long j, long row,
                            long n, double *restrict mean) {
    long above = ((j - 1) >> 1) * row, below = (j >> 1) * row;
    for (long i = -1; i < n; i++)
        mean[i] = (before[above + i] + before[below + i] + after[above + i] + after[below + i]) / 4;
    for (long i = 0; i < n; i++) {
        result[2 * i] += (mean[i - 1] + mean[i]) / 2;
        result[2 * i + 1] += mean[i];
    }
}

/* The greatest numbers, in falling order, and their places in the grid: first each thread's own. */
struct extremes {
    double value[CHARGES];
    long place[CHARGES];
};

static void consider(struct extremes *e, double value, long place) {
    int i = CHARGES - 1;
    if (value <= e->value[i])
        return;
    for (; i > 0 && e->value[i - 1] < value; i--) {
        e->value[i] = e->value[i - 1];
        e->place[i] = e->place[i - 1];
    }
    e->value[i] = value;
    e->place[i] = place;
}

#endif
