/* NAS MG, the counterpart of examples/nas/mg.upc: grids as arrays of planes, of which a process has a share
 * and copies of the plane before and the plane after. With MPI the outer planes are computed first, and
 * travel (MPI_Isend) while the others are computed, as in UPC. With OpenMP there is one process, which copies
 * its own outer planes, and loops over planes are shared out. */
#include "../c/parallel.h"
#include "../../examples/nas/mg.h"

struct grid {
    int n;
    long first, end; /* the planes of this process */
    double *own;     /* planes first - 1 ... end */
};
static struct grid u[MOST_LEVELS + 1], r[MOST_LEVELS + 1], v;
static int top; /* the finest level; level l has 2^l planes */

/* Planes and rows have a margin of one, which holds copies from the opposite side. */
static long row_size(const struct grid *g) { return g->n + 2; }
static long plane_size(const struct grid *g) { return row_size(g) * row_size(g); }

/* Returns process t's first plane: those in its share of the finest grid are its planes. */
static long first_plane(const struct grid *g, int t) { return first_of(t, 1L << top) * g->n >> top; }

/* Returns point (0, 0) of plane k. */
static double *plane(const struct grid *g, long k) {
    return g->own + (k - g->first + 1) * plane_size(g) + row_size(g) + 1;
}

static void clear(const struct grid *g) {
    memset(g->own, 0, (g->end - g->first + 2) * plane_size(g) * sizeof(double));
}

static void make_grid(struct grid *g, int level) {
    g->n = 1 << level;
    g->first = first_plane(g, rank);
    g->end = first_plane(g, rank + 1);
    g->own = need(malloc((g->end - g->first + 2) * plane_size(g) * sizeof(double)));
    clear(g);
}

/* ---- the exchange -------------------------------------------------------------------------------------- */

/* Fills the margins of plane k. */
static void close_plane(const struct grid *g, long k) {
    long n = g->n, row = row_size(g);
    double *p = plane(g, k);
    for (long j = 0; j < n; j++) {
        p[j * row - 1] = p[j * row + n - 1];
        p[j * row + n] = p[j * row];
    }
    memcpy(p - row - 1, p + (n - 1) * row - 1, row * sizeof *p);
    memcpy(p + n * row - 1, p - 1, row * sizeof *p);
}

#ifdef WITH_MPI
static MPI_Request *requests;
static int under_way;

static int owner(const struct grid *g, long k) {
    int t = 0;
    while (k >= first_plane(g, t + 1))
        t++;
    return t;
}

/* A process has at most two planes that others copy, and two copies. */
static void expect(const struct grid *g) {
    long size = plane_size(g), before = (g->first - 1 + g->n) % g->n, after = g->end % g->n;
    if (!requests)
        requests = need(malloc((4 * processes + 2) * sizeof *requests));
    under_way = 0;
    MPI_Irecv(g->own, (int)size, MPI_DOUBLE, owner(g, before), 0, MPI_COMM_WORLD, &requests[under_way++]);
    MPI_Irecv(g->own + (g->end - g->first + 1) * size, (int)size, MPI_DOUBLE, owner(g, after), 1,
              MPI_COMM_WORLD, &requests[under_way++]);
}

/* Starts sending plane k, which is computed, to all processes that have a copy of it. */
static void send(const struct grid *g, long k) {
    close_plane(g, k);
    if (k != g->first && k != g->end - 1)
        return;
    const double *from = plane(g, k) - row_size(g) - 1;
    for (int t = 0; t < processes; t++) {
        const long wanted[] = {(first_plane(g, t) - 1 + g->n) % g->n, first_plane(g, t + 1) % g->n};
        for (int tag = 0; tag < 2; tag++)
            if (wanted[tag] == k)
                MPI_Isend(from, (int)plane_size(g), MPI_DOUBLE, t, tag, MPI_COMM_WORLD,
                          &requests[under_way++]);
    }
}

static void arrive(const struct grid *g) {
    (void)g;
    MPI_Waitall(under_way, requests, MPI_STATUSES_IGNORE);
}
#else
static void expect(const struct grid *g) { (void)g; }
static void send(const struct grid *g, long k) { close_plane(g, k); }

static void arrive(const struct grid *g) {
    long size = plane_size(g);
    memcpy(g->own, g->own + g->n * size, size * sizeof(double));
    memcpy(g->own + (g->n + 1) * size, g->own + size, size * sizeof(double));
}
#endif

/* Returns the i'th of the planes first ... end - 1 to be computed: the outer ones come first. */
static long in_turn(const struct grid *g, long i) {
    return i == 0 ? g->first : i == 1 ? g->end - 1 : g->first + i - 1;
}

/* ---- operators ----------------------------------------------------------------------------------------- */

/* Computes to = base + the weights w applied to `from', and exchanges it. */
static void apply(const double *w, const struct grid *from, const struct grid *base, const struct grid *to) {
    long n = to->n, row = row_size(to);
    expect(to);
#pragma omp parallel for
    for (long turn = 0; turn < to->end - to->first; turn++) {
        double next[n + 2], across[n + 2];
        long k = in_turn(to, turn);
        for (long j = 0; j < n; j++) {
            gather_row(plane(from, k - 1), plane(from, k), plane(from, k + 1), row, j, n, next, across);
            apply_row(w, plane(from, k) + j * row, plane(base, k) + j * row, plane(to, k) + j * row, next + 1,
                      across + 1, n);
        }
        send(to, k);
    }
    arrive(to);
}

/* Computes the coarse grid's points from the fine one's, on which point i is 2 i + 1, and exchanges them. */
static void project(const struct grid *fine, const struct grid *coarse) {
    long row = row_size(fine);
    expect(coarse);
#pragma omp parallel for
    for (long turn = 0; turn < coarse->end - coarse->first; turn++) {
        double next[fine->n + 2], across[fine->n + 2];
        long k = in_turn(coarse, turn), below = 2 * k + 1;
        for (long j = 0; j < coarse->n; j++) {
            gather_row(plane(fine, below - 1), plane(fine, below), plane(fine, below + 1), row, 2 * j + 1,
                       fine->n, next, across);
            project_row(plane(fine, below) + (2 * j + 1) * row, plane(coarse, k) + j * row_size(coarse),
                        next + 1, across + 1, coarse->n);
        }
        send(coarse, k);
    }
    arrive(coarse);
}

/* Adds to `fine' the values interpolated between the coarse grid's points, in the copies too. */
static void interpolate(const struct grid *coarse, const struct grid *fine) {
#pragma omp parallel for
    for (long k = fine->first - 1; k <= fine->end; k++) {
        double mean[coarse->n + 2];
        const double *before = plane(coarse, (k - 1) >> 1), *after = plane(coarse, k >> 1);
        for (long j = 0; j < fine->n; j++)
            interpolate_row(before, after, plane(fine, k) + j * row_size(fine), j, row_size(coarse),
                            coarse->n, mean + 1);
        close_plane(fine, k);
    }
}

/* Adds to u the correction of one V-cycle for the residual r, and recomputes the residual. */
static void cycle(void) {
    for (int level = 1; level < top; level++)
        clear(&u[level]);
    for (int level = top; level > 1; level--)
        project(&r[level], &r[level - 1]);
    apply(smoother, &r[1], &u[1], &u[1]);
    for (int level = 2; level <= top; level++) {
        interpolate(&u[level - 1], &u[level]);
        apply(minus_laplace, &u[level], level < top ? &r[level] : &v, &r[level]);
        apply(smoother, &r[level], &u[level], &u[level]);
    }
    apply(minus_laplace, &u[top], &v, &r[top]);
}

static double norm(const struct grid *g) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long k = g->first; k < g->end; k++)
        for (long j = 0; j < g->n; j++)
            for (long i = 0; i < g->n; i++) {
                double x = plane(g, k)[j * row_size(g) + i];
                sum += x * x;
            }
    return sqrt(all_sum(sum) / ((double)g->n * g->n * g->n));
}

/* ---- the charges --------------------------------------------------------------------------------------- */

/* Adds the numbers of planes first ... end - 1 to the greatest, and their negatives. */
static void find_extremes(struct extremes best[2], long first, long end) {
    long area = (long)v.n * v.n;
    memset(best, 0, 2 * sizeof *best);
    for (int i = 0; i < CHARGES; i++)
        best[0].value[i] = best[1].value[i] = -2;
    uint64_t random = skip_random(SEED, first * area);
    for (long place = first * area; place < end * area; place++) {
        double x = next_random(&random);
        consider(&best[0], x, place);
        consider(&best[1], -x, place);
    }
}

/* Sets v to 1 at the ten greatest of n^3 random numbers, to -1 at the ten smallest, else to 0. This is not
 * timed, so each process examines all of them. */
static void charge(void) {
    long area = (long)v.n * v.n;
    struct extremes best[2];
    find_extremes(best, 0, v.n);
    for (int sign = 0; sign < 2; sign++)
        for (int i = 0; i < CHARGES; i++) {
            long place = best[sign].place[i], k = place / area;
            if (k >= v.first && k < v.end)
                plane(&v, k)[place % area / v.n * row_size(&v) + place % v.n] = sign ? -1 : 1;
        }
}

int main(int argc, char **argv) {
    int class = parallel_begin(argc, argv, "SWA");
    top = classes[class].levels;
    for (int level = 1; level <= top; level++) {
        make_grid(&u[level], level);
        make_grid(&r[level], level);
    }
    make_grid(&v, top);
    charge();
    all_wait();
    double begin = seconds();
    apply(minus_laplace, &u[top], &v, &r[top]);
    for (int i = 0; i < classes[class].cycles; i++)
        cycle();
    double result = norm(&r[top]), took = seconds() - begin, points = pow(8, top);
    return verdict("mg", agrees("the norm", result, classes[class].norm, 1e-8), took,
                   58 * classes[class].cycles * points);
}
