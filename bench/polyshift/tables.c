/* Tables 1 to 4 of TR-18-93, and a five-point stencil against the memory's limit.
 *
 *     tables RANK ROUNDS MILLISECONDS     shifts by +1 and -1 along every axis of subgrids of a rank: a line
 * for each length, "length cshift-ns pshift-ns", the medians over the rounds, and the median of the rounds'
 * ratios tables stencil ROUNDS MILLISECONDS  for squares: million points a second, and what copy-and-scale of
 * as many bytes a point (16) allows
 *
 * In each round both are measured, one after the other, so that what else goes on in the machine meets both.
 */
#include <meridian/meridian.h>
#include <meridian/stencil.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_ROUNDS 99

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double median(double *x, int n) {
    qsort(x, (size_t)n, sizeof *x, by_size);
    return x[n / 2];
}

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

/* ---- five points --------------------------------------------------------------------------------------- */

struct plane {
    mer_array *u, *v;
    mer_stencil *stencil;
    double *from, *to;
    long points; /* of this thread */
};

static void step(void *context, long turns) {
    struct plane *p = context;
    mer_stencil_run(p->stencil, p->u, p->v, turns);
}

static void copy_and_scale(void *context, long turns) {
    struct plane *p = context;
    for (long t = 0; t < turns; t++) {
        double *from = t % 2 ? p->to : p->from, *to = t % 2 ? p->from : p->to;
        for (long i = 0; i < p->points; i++)
            to[i] = 0.999 * from[i];
        __asm__ volatile("" ::: "memory");
    }
}

static void stencil_of(long n, int rounds, double ns) {
    struct mer_array_spec spec = {.type = MER_FLOAT64, .rank = 2, .extent = {n, n}};
    spec.axis[0].halo = spec.axis[1].halo = 1;
    struct plane p = {.points = n * n / mer_threads()};
    p.u = mer_array_create(&spec);
    p.v = mer_array_like(p.u, NULL);
    p.from = calloc((size_t)p.points, sizeof(double));
    p.to = calloc((size_t)p.points, sizeof(double));
    struct mer_term five[] = {
        {0.2, {0, 0}, 0}, {0.2, {-1, 0}, 0}, {0.2, {1, 0}, 0}, {0.2, {0, -1}, 0}, {0.2, {0, 1}, 0}};
    p.stencil = mer_stencil_create(p.u, &(struct mer_stencil_spec){.terms = 5, .term = five});
    struct subject stencil = {step, &p, 0}, copy = {copy_and_scale, &p, 0};
    double s[MOST_ROUNDS], c[MOST_ROUNDS], ratio[MOST_ROUNDS];
    settle(&stencil, ns);
    settle(&copy, ns);
    for (int r = 0; r < rounds; r++) {
        s[r] = (double)(n * n) * 1e3 / measure(&stencil);
        c[r] = (double)(n * n) * 1e3 / measure(&copy);
        ratio[r] = s[r] / c[r];
    }
    if (mer_mythread() == 0)
        printf("%ld %.0f %.0f %.2f\n", n, median(s, rounds), median(c, rounds), median(ratio, rounds));
    mer_stencil_free(p.stencil);
    mer_array_free(p.u);
    mer_array_free(p.v);
    free(p.from);
    free(p.to);
}

int main(int argc, char **argv) {
    static const long lengths[5][9] = {{0},
                                       {4, 16, 64, 256, 1024, 4096, 16384, 0},
                                       {2, 4, 8, 16, 32, 64, 128, 0},
                                       {2, 4, 8, 16, 32, 0},
                                       {2, 4, 8, 0}};
    static const long squares[] = {256, 512, 4096, 0};
    int rounds = argc > 2 ? atoi(argv[2]) : 0, rank = argc > 1 ? atoi(argv[1]) : 0;
    double ns = argc > 3 ? atof(argv[3]) * 1e6 : 0;
    if (argc != 4 || rounds < 1 || rounds > MOST_ROUNDS || ns <= 0 || rank > 4 ||
        (rank < 1 && strcmp(argv[1], "stencil") != 0)) {
        fprintf(stderr, "usage: tables 1|2|3|4|stencil ROUNDS MILLISECONDS\n");
        return 2;
    }
    for (const long *l = rank ? lengths[rank] : squares; *l; l++)
        if (rank)
            shifts_of(rank, *l, rounds, ns);
        else
            stencil_of(*l, rounds, ns);
    return 0;
}
