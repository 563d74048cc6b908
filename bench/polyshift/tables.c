/* Tables 1 to 4 of TR-18-93, and stencils against the memory's limit.
 *
 *     tables RANK ROUNDS MILLISECONDS     shifts by +1 and -1 along every axis of subgrids of a rank: a line
 * for each length, "length cshift-ns pshift-ns ratio"
 *     tables stencil ROUNDS MILLISECONDS  a line for each stencil and side: million points a second with one
 * step an exchange, with several, and of copy-and-scale of as many points; both against the last
 *
 * Figures are medians over the rounds.  In each round all are measured, one after the other, so that what
 * else goes on in the machine meets all of them. */
#include "timing.h"

#include <meridian/meridian.h>
#include <meridian/stencil.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is measured: a function that does `turns' turns of something. */
struct subject {
    void (*run)(void *context, long turns);
    void *context;
    long turns;
};

/* Nanoseconds a turn; every thread takes part. */
static double measure(const struct subject *s) {
    mer_barrier_all();
    double begin = now();
    s->run(s->context, s->turns);
    mer_barrier_all();
    return (now() - begin) / (double)s->turns;
}

/* So many turns that a measurement takes the time asked for; thread 0 decides. */
static void settle(struct subject *s, double ns) {
    mer_array *turns = mer_array_create(
        &(struct mer_array_spec){.type = MER_INT64, .rank = 1, .extent = {1}, .axis[0].serial = 1});
    for (s->turns = 4;; s->turns *= 2) {
        long long more = 0;
        double took = measure(s) * (double)s->turns;
        if (mer_mythread() == 0) {
            more = took < ns;
            mer_array_put(turns, (long[]){0}, &more);
        }
        mer_barrier_all();
        mer_array_get(turns, (long[]){0}, &more);
        mer_barrier_all();
        if (!more)
            break;
    }
    mer_array_free(turns);
}

/* ---- shifts -------------------------------------------------------------------------------------------- */

struct shifts {
    int rank, id;
    mer_array *from, *to[8];
    const mer_array *sources[8];
};

static void by_cshift(void *context, long turns) {
    const struct shifts *s = context;
    for (long t = 0; t < turns; t++)
        for (int i = 0; i < 2 * s->rank; i++)
            mer_cshift(s->to[i], s->from, i % 2 ? -1 : 1, i / 2);
}

static void by_pshift(void *context, long turns) {
    const struct shifts *s = context;
    for (long t = 0; t < turns; t++)
        mer_pshift(s->id, s->to, s->sources, NULL);
}

static void shifts_of(int rank, long length, int rounds, double ns) {
    struct shifts s = {.rank = rank};
    struct mer_shift shift[8];
    struct mer_array_spec spec = {.type = MER_FLOAT64, .rank = rank};
    int threads = mer_threads();
    for (int k = 0; k < rank; k++) { /* two processes an axis, as far as there are so many */
        spec.axis[k].processes = k + 1 < rank ? (threads > 1 ? 2 : 1) : threads;
        threads /= k + 1 < rank && threads > 1 ? 2 : 1;
        spec.extent[k] = length * spec.axis[k].processes;
    }
    s.from = mer_array_create(&spec);
    double one = 1;
    mer_array_fill(s.from, &one);
    for (int i = 0; i < 2 * rank; i++) {
        s.to[i] = mer_array_like(s.from, NULL);
        s.sources[i] = s.from;
        shift[i] = (struct mer_shift){.kind = MER_CSHIFT, .axis = i / 2, .distance = i % 2 ? -1 : 1};
    }
    s.id = mer_pshift_setup(s.from, 2 * rank, shift);
    struct subject cshift = {by_cshift, &s, 0}, pshift = {by_pshift, &s, 0};
    double c[MOST_ROUNDS], p[MOST_ROUNDS], ratio[MOST_ROUNDS];
    settle(&cshift, ns);
    settle(&pshift, ns);
    for (int r = 0; r < rounds; r++) {
        c[r] = measure(&cshift);
        p[r] = measure(&pshift);
        ratio[r] = c[r] / p[r];
    }
    if (mer_mythread() == 0)
        printf("%ld %.1f %.1f %.2f\n", length, median(c, rounds), median(p, rounds), median(ratio, rounds));
    mer_pshift_free(s.id);
    for (int i = 0; i < 2 * rank; i++)
        mer_array_free(s.to[i]);
    mer_array_free(s.from);
}

/* ---- stencils ------------------------------------------------------------------------------------------ */

enum { SEVERAL = 8 }; /* steps an exchange, at most */

struct grid {
    mer_array *u, *v;
    mer_stencil *one, *several;
    double *from, *to;
    long points; /* of this thread */
};

static void one_step(void *context, long turns) {
    struct grid *g = context;
    mer_stencil_run(g->one, g->u, g->v, turns);
}

static void several_steps(void *context, long turns) {
    struct grid *g = context;
    mer_stencil_run(g->several, g->u, g->v, turns * SEVERAL);
}

static void copy_and_scale(void *context, long turns) {
    struct grid *g = context;
    for (long t = 0; t < turns; t++) {
        double *from = t % 2 ? g->to : g->from, *to = t % 2 ? g->from : g->to;
        for (long i = 0; i < g->points; i++)
            to[i] = 0.999 * from[i];
        __asm__ volatile("" ::: "memory");
    }
}

/* The neighbours of an element, itself included: those along the axes, or the whole cube; and the level
 * before. */
static int terms_of(struct mer_term *term, int rank, bool cube, bool wave) {
    int n = 0;
    for (int place = 0; place < (rank == 2 ? 9 : 27); place++) {
        struct mer_term t = {.old = 0};
        int axes = 0;
        for (int k = 0, rest = place; k < rank; k++, rest /= 3) {
            t.offset[k] = rest % 3 - 1;
            axes += t.offset[k] != 0;
        }
        t.coefficient = 0.05 - 0.01 * axes;
        if (cube || axes < 2)
            term[n++] = t;
    }
    if (wave)
        term[n++] = (struct mer_term){.coefficient = -0.1, .old = 1};
    return n;
}

static void stencil_of(const char *name, int rank, bool cube, bool wave, long n, int rounds, double ns,
                       bool reassociate) {
    struct mer_array_spec spec = {.type = MER_FLOAT64, .rank = rank};
    struct mer_term term[28];
    double points = 1, zero = 0;
    for (int k = 0; k < rank; k++) {
        spec.extent[k] = n;
        spec.axis[k].halo = SEVERAL;
        points *= (double)n;
    }
    struct grid g = {.points = (long)points / mer_threads()};
    g.u = mer_array_create(&spec);
    g.v = mer_array_like(g.u, NULL);
    mer_array_fill(g.u, &zero);
    mer_array_fill(g.v, &zero);
    g.from = calloc((size_t)g.points, sizeof(double));
    g.to = calloc((size_t)g.points, sizeof(double));
    struct mer_stencil_spec stencil = {.terms = terms_of(term, rank, cube, wave), .term = term, .steps = 1};
    stencil.reassociate = reassociate;
    g.one = mer_stencil_create(g.u, &stencil);
    stencil.steps = 0; /* as many as pay */
    g.several = mer_stencil_create(g.u, &stencil);
    struct subject subject[3] = {{one_step, &g, 0}, {several_steps, &g, 0}, {copy_and_scale, &g, 0}};
    double speed[3][MOST_ROUNDS], ratio[2][MOST_ROUNDS];
    for (int i = 0; i < 3; i++)
        settle(&subject[i], ns);
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < 3; i++)
            speed[i][r] = points * (i == 1 ? SEVERAL : 1) * 1e3 / measure(&subject[i]);
        for (int i = 0; i < 2; i++)
            ratio[i][r] = speed[i][r] / speed[2][r];
    }
    if (mer_mythread() == 0)
        printf("%s %ld %.0f %.0f %.0f %.2f %.2f\n", name, n, median(speed[0], rounds),
               median(speed[1], rounds), median(speed[2], rounds), median(ratio[0], rounds),
               median(ratio[1], rounds));
    mer_stencil_free(g.one);
    mer_stencil_free(g.several);
    mer_array_free(g.u);
    mer_array_free(g.v);
    free(g.from);
    free(g.to);
}

static void stencils(int rounds, double ns) {
    static const long squares[] = {256, 512, 4096};
    for (int i = 0; i < 3; i++)
        stencil_of("5-point", 2, false, false, squares[i], rounds, ns, false);
    stencil_of("7-point", 3, false, false, 64, rounds, ns, false);
    stencil_of("7-point", 3, false, false, 256, rounds, ns, false);
    stencil_of("27-point", 3, true, false, 64, rounds, ns, false);
    stencil_of("27-point", 3, true, false, 256, rounds, ns, false);
    stencil_of("27-regroup", 3, true, false, 64, rounds, ns, true);
    stencil_of("27-regroup", 3, true, false, 256, rounds, ns, true);
    stencil_of("wave", 3, false, true, 64, rounds, ns, false);
    stencil_of("wave", 3, false, true, 256, rounds, ns, false);
}

int main(int argc, char **argv) {
    static const long lengths[5][9] = {{0},
                                       {4, 16, 64, 256, 1024, 4096, 16384, 0},
                                       {2, 4, 8, 16, 32, 64, 128, 0},
                                       {2, 4, 8, 16, 32, 0},
                                       {2, 4, 8, 0}};
    int rounds = argc > 2 ? atoi(argv[2]) : 0, rank = argc > 1 ? atoi(argv[1]) : 0;
    double ns = argc > 3 ? atof(argv[3]) * 1e6 : 0;
    if (argc != 4 || rounds < 1 || rounds > MOST_ROUNDS || ns <= 0 || rank > 4 ||
        (rank < 1 && strcmp(argv[1], "stencil") != 0)) {
        fprintf(stderr, "usage: tables 1|2|3|4|stencil ROUNDS MILLISECONDS\n");
        return 2;
    }
    for (const long *l = lengths[rank]; *l; l++)
        shifts_of(rank, *l, rounds, ns);
    if (!rank)
        stencils(rounds, ns);
    return 0;
}
