/* The stencils and the halos that several systems measure: probes/stencils.upc, stencils-openmp.c, halo-mpi.c
 * and stencils-devito.py. The time of a stencil's point is in nanoseconds an element and step, that of a
 * halo's in nanoseconds an exchange. */
#ifndef BENCH_STENCILS_H
#define BENCH_STENCILS_H

#include "../measure.h"

/* The factor of the time of a sample: a sweep over the largest grids takes tens of milliseconds, and so do
 * the kernel's switches in an exchange with more processes than cores. */
#define STENCILS_LONGER 10

/* Grids of doubles: those that fit into the caches of current processors, and those beyond them. */
static const struct {
    const char *name;
    int rank;
    long side;
    int cube, wave; /* all neighbours, those along diagonals too; the level before is read as well */
    int regroup;    /* sums in any order */
} stencils[] = {
    {"5-point", 2, 256, 0, 0, 0},     {"5-point", 2, 512, 0, 0, 0},      {"5-point", 2, 4096, 0, 0, 0},
    {"7-point", 3, 64, 0, 0, 0},      {"wave", 3, 64, 0, 1, 0},          {"27-point", 3, 64, 1, 0, 0},
    {"27-point any", 3, 64, 1, 0, 1}, {"7-point", 3, 256, 0, 0, 0},      {"wave", 3, 256, 0, 1, 0},
    {"27-point", 3, 256, 1, 0, 0},    {"27-point any", 3, 256, 1, 0, 1},
};

#define STENCILS (int)(sizeof stencils / sizeof *stencils)

/* Elements of a face of a process's square. */
static const long faces[] = {4, 32, 128, 512, 1024};

#define FACES (int)(sizeof faces / sizeof *faces)

static inline double stencils_points(int i) {
    double points = 1;
    for (int k = 0; k < stencils[i].rank; k++)
        points *= (double)stencils[i].side;
    return points;
}

/* With --quick the grids beyond the caches are left out. */
static inline int stencils_wanted(int i) { return !probe_quick || stencils_points(i) < 1e6; }

/* Before a stencil is measured, each system takes this many steps from the same values, with zeros around the
 * grid, and prints the sum of the squares of all elements; meridian bench compares these sums. */
#define STENCILS_STEPS 8
static inline double stencils_start(long i, long j, long k) {
    return (double)((7 * i + 3 * j + 5 * k) % 16) / 16;
}
static inline void stencils_check(int i, double squares) {
    const char *name = stencils[i].cube ? "27-point" : stencils[i].name;
    printf("{\"check\":\"%s, side %ld\",\"value\":%.17g}\n", name, stencils[i].side, squares);
}

/* The coefficient of a neighbour that differs along this many axes. */
#define STENCILS_COEFFICIENT(axes) (0.05 - 0.01 * (axes))
#define STENCILS_OLD (-0.1) /* coefficient of the wave's time level before */

static inline struct point stencils_point(int i, const char *what, long processes) {
    return (struct point){.part = "stencils",
                          .series = stencils[i].name,
                          .what = what,
                          .axis = {"side", "processes"},
                          .at = {stencils[i].side, processes},
                          .operations = stencils_points(i)};
}

static inline struct point halo_point(int i, const char *what, long processes) {
    return (struct point){.part = "stencils",
                          .series = "halo",
                          .what = what,
                          .axis = {"bytes", "processes"},
                          .at = {faces[i] * (long)sizeof(double), processes}};
}

#endif
