/* Stencils of distributed arrays, one step a sweep and several, compared with copy-and-scale of as many
 * elements, which is the memory's limit of one step; and the exchange of halos by itself.
 */
#include "stencils.h"

#include <meridian/stencil.h>

enum { SEVERAL = 8, MOST_TERMS = 28 }; /* steps an exchange, at most; terms of the largest stencil */

/* The grid of the current stencil; grids are large, so there is one at a time. */
static struct {
    int of; /* the index in `stencils', or -1 */
    mer_array *u, *v;
    mer_stencil *one, *several;
    mer_array *from, *to; /* of copies: without halo, and else in memory of the same kind */
} grid = {.of = -1};

static void one_step(long turns) { mer_stencil_run(grid.one, grid.u, grid.v, turns); }

static void several_steps(long turns) { mer_stencil_run(grid.several, grid.u, grid.v, turns * SEVERAL); }

/* Returns this thread's part of an array without halo. */
static double *part_of(const mer_array *a, long *elements) {
    struct mer_array_info my;
    mer_array_describe(a, MYTHREAD, &my);
    *elements = my.rank > 2 ? my.count[0] * my.count[1] * my.count[2] : my.count[0] * my.count[1];
    return my.local;
}

static void copy_and_scale(long turns) {
    long elements;
    double *even = part_of(grid.from, &elements), *odd = part_of(grid.to, &elements);
    for (long t = 0; t < turns; t++) {
        double *restrict from = t % 2 ? odd : even, *restrict to = t % 2 ? even : odd;
        for (long i = 0; i < elements; i++)
            to[i] = 0.999 * from[i];
        MEASURE_FORGET();
    }
    upc_barrier;
}

/* Makes the terms of an element: itself and its neighbours along the axes, or the whole cube; and the time
 * level before. */
static int terms_of(struct mer_term *term, int i) {
    int n = 0, rank = stencils[i].rank;
    for (int place = 0; place < (rank == 2 ? 9 : 27); place++) {
        struct mer_term t = {.old = 0};
        int axes = 0;
        for (int k = 0, rest = place; k < rank; k++, rest /= 3) {
            t.offset[k] = rest % 3 - 1;
            axes += t.offset[k] != 0;
        }
        t.coefficient = STENCILS_COEFFICIENT(axes);
        if (stencils[i].cube || axes < 2)
            term[n++] = t;
    }
    if (stencils[i].wave)
        term[n++] = (struct mer_term){.coefficient = STENCILS_OLD, .old = 1};
    return n;
}

static void drop_grid(void) {
    if (grid.of < 0)
        return;
    mer_stencil_free(grid.one);
    mer_stencil_free(grid.several);
    mer_array_free(grid.u);
    mer_array_free(grid.v);
    mer_array_free(grid.from);
    mer_array_free(grid.to);
    grid.of = -1;
}

/* Calls `with' for each row of this thread's part, with its first element, the indices of that, and the
 * length. */
static double for_rows(mer_array *a, double (*with)(double *row, const long *index, long n)) {
    struct mer_array_info my;
    mer_array_describe(a, MYTHREAD, &my);
    double sum = 0;
    int fast = my.rank - 1;
    long middle = my.rank > 2 ? my.count[1] : 1;
    for (long i = 0; i < my.count[0]; i++)
        for (long j = 0; j < middle; j++) {
            long index[3] = {my.first[0] + i, my.first[1] + j, my.first[2]};
            char *row = (char *)my.local + i * my.stride[0] + (fast > 1 ? j * my.stride[1] : 0);
            sum += with((double *)row, index, my.count[fast]);
        }
    return sum;
}

static double begin(double *row, const long *index, long n) {
    int rank = stencils[grid.of].rank;
    for (long i = 0; i < n; i++)
        row[i] = rank > 2 ? stencils_start(index[0], index[1], index[2] + i)
                          : stencils_start(index[0], index[1] + i, 0);
    return 0;
}

static double squares_of(double *row, const long *index, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += row[i] * row[i];
    return sum;
}

static shared double sums[THREADS];

static void check(mer_stencil *stencil) {
    double zero = 0, all = 0;
    for_rows(grid.u, begin);
    mer_array_fill(grid.v, &zero);
    sums[MYTHREAD] = for_rows(mer_stencil_run(stencil, grid.u, grid.v, STENCILS_STEPS), squares_of);
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        all += sums[t];
    if (MYTHREAD == 0)
        stencils_check(grid.of, all);
    upc_barrier;
}

static void make_grid(int i) {
    struct mer_array_spec spec = {.type = MER_FLOAT64, .rank = stencils[i].rank};
    struct mer_term term[MOST_TERMS];
    double zero = 0;
    for (int k = 0; k < spec.rank; k++) {
        spec.extent[k] = stencils[i].side;
        spec.axis[k].halo = SEVERAL;
    }
    grid.of = i;
    grid.u = mer_array_create(&spec);
    grid.v = mer_array_like(grid.u, NULL);
    mer_array_fill(grid.u, &zero);
    mer_array_fill(grid.v, &zero);
    for (int k = 0; k < spec.rank; k++)
        spec.axis[k].halo = 0;
    grid.from = mer_array_create(&spec);
    grid.to = mer_array_like(grid.from, NULL);
    mer_array_fill(grid.from, &zero);
    mer_array_fill(grid.to, &zero);
    struct mer_stencil_spec stencil = {
        .terms = terms_of(term, i), .term = term, .steps = 1, .reassociate = stencils[i].regroup};
    for (int k = 0; k < spec.rank; k++)
        stencil.face[k][0].kind = stencil.face[k][1].kind = MER_VALUE;
    grid.one = mer_stencil_create(grid.u, &stencil);
    stencil.steps = 0; /* as many as pay */
    grid.several = mer_stencil_create(grid.u, &stencil);
    static int checked[STENCILS]; /* grids are made anew for each sample */
    if (!checked[i]++) {
        check(grid.one);
        check(grid.several);
        mer_array_fill(grid.u, &zero);
        mer_array_fill(grid.v, &zero);
    }
}

/* The points are the three of the first stencil, then those of the second, and so on, and then those of the
 * halos. */
static int wanted[STENCILS];

static void prepare(void) {
    int i = wanted[(probe_now - probe_points) / 3];
    if (grid.of == i)
        return;
    drop_grid();
    make_grid(i);
}

static void add_stencils(void) {
    int many = 0;
    for (int i = 0; i < STENCILS; i++) {
        if (!stencils_wanted(i))
            continue;
        wanted[many++] = i;
        struct point point = stencils_point(i, "one step", THREADS);
        point.prepare = prepare;
        point.run = one_step;
        probe_add(point);
        point.what = "copy and scale", point.run = copy_and_scale;
        probe_add(point);
        point.what = "several steps", point.run = several_steps, point.operations *= SEVERAL;
        probe_add(point);
    }
}

/* A square of doubles for each process, whose faces of one element go to its four neighbours on a periodic
 * grid of processes. */
static struct {
    mer_array *u;
    mer_stencil *stencil;
} squares[FACES];

static void fetch(long turns) {
    int i = (int)(probe_now - probe_points) - (probe_many - FACES);
    for (long t = 0; t < turns; t++)
        mer_stencil_fetch(squares[i].stencil, squares[i].u);
    upc_barrier;
}

static void add_halos(void) {
    static const struct mer_term five[] = {{.coefficient = 0.2},
                                           {.coefficient = 0.2, .offset = {-1, 0}},
                                           {.coefficient = 0.2, .offset = {1, 0}},
                                           {.coefficient = 0.2, .offset = {0, -1}},
                                           {.coefficient = 0.2, .offset = {0, 1}}};
    int along = 1; /* of the second axis: as square as can be, as MPI_Dims_create makes it */
    double zero = 0;
    for (int p = 1; p * p <= THREADS; p++)
        along = THREADS % p == 0 ? p : along;
    for (int i = 0; i < FACES; i++) {
        struct mer_array_spec spec = {.type = MER_FLOAT64, .rank = 2};
        for (int k = 0; k < 2; k++) {
            int processes = k ? along : THREADS / along;
            spec.extent[k] = faces[i] * processes;
            spec.axis[k] = (struct mer_axis){.processes = processes, .halo = 1};
        }
        squares[i].u = mer_array_create(&spec);
        mer_array_fill(squares[i].u, &zero);
        squares[i].stencil = mer_stencil_create(
            squares[i].u, &(struct mer_stencil_spec){.terms = 5, .term = five, .steps = 1});
        struct point point = halo_point(i, "fetch", THREADS);
        point.run = fetch;
        probe_add(point);
    }
}

static void add_all(void) {
    add_stencils();
    add_halos();
    probe_longer = STENCILS_LONGER;
}

int main(int argc, char **argv) {
    static const struct part parts[] = {{"stencils", add_all}};
    int code = PROBE_MAIN(argc, argv, parts);
    drop_grid();
    return code;
}
