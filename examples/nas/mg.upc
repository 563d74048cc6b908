/* mg: Poisson's equation on a cube whose sides are joined, by V-cycles of multigrid (NAS MG).
 *
 * A grid of n x n x n points is a row of n planes. Each thread has a share of the planes of the finest grid
 * and the planes of the coarser grids within it, which may be none; and on each level copies of the plane
 * before and the plane after its own. These planes are its window: planes first - 1 ... end.
 *
 * Communication: windows lie in shared memory, and a directory holds their addresses. After each operator a
 * thread writes its two outer planes into the windows that have copies of them. It computes them first, and
 * they travel (upc_memput_nbi) while it computes the others; one barrier ends the exchange. No other is
 * needed: copies are read between the exchange that brings them and the next, and the same field is never
 * exchanged twice in a row, so a thread that writes to a copy has passed a barrier after its last read. The
 * interpolation computes the copies too, and needs no exchange. */
#include "nas.h"
#include "mg.h"

static int top; /* the finest level; level l has 2^l planes */

/* ---- windows ------------------------------------------------------------------------------------------- */

typedef shared[] double *window_t;

/* A field on one level. */
struct grid {
    int level, n;
    long first, end;   /* this thread's planes */
    window_t *windows; /* of all threads */
    double *own;       /* this thread's, as private memory */
};
static struct grid u[MOST_LEVELS + 1], r[MOST_LEVELS + 1], v;

/* Planes and rows have a margin of one, which holds copies from the opposite side. */
static long row_size(const struct grid *g) { return g->n + 2; }
static long plane_size(const struct grid *g) { return row_size(g) * row_size(g); }

/* Thread t's first plane. A plane belongs to the thread of the second of the two planes below it. */
static long first_plane(const struct grid *g, int t) { return first_of(t, 1L << top) >> (top - g->level); }

/* Point (0, 0) of plane k, which is in this thread's window. */
static double *plane(const struct grid *g, long k) {
    return g->own + (k - g->first + 1) * plane_size(g) + row_size(g) + 1;
}

static void clear(const struct grid *g) {
    memset(g->own, 0, (g->end - g->first + 2) * plane_size(g) * sizeof(double));
}

/* Each thread has its own copy of the directory of windows: each read of another host's memory would cost a
 * round trip. */
static void make_grid(struct grid *g, int level) {
    static shared window_t directory[THREADS];
    *g = (struct grid){.level = level, .n = 1 << level};
    g->first = first_plane(g, MYTHREAD);
    g->end = first_plane(g, MYTHREAD + 1);
    g->windows = need(malloc(THREADS * sizeof *g->windows));
    directory[MYTHREAD] = (window_t)need_shared((g->end - g->first + 2) * plane_size(g) * sizeof(double));
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        g->windows[t] = directory[t];
    upc_barrier;
    g->own = (double *)g->windows[MYTHREAD];
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

/* Starts the transfers of plane k, which is computed, to all windows that have a copy of it. */
static void send(const struct grid *g, long k) {
    close_plane(g, k);
    if (k != g->first && k != g->end - 1)
        return;
    const double *from = plane(g, k) - row_size(g) - 1;
    long size = plane_size(g);
    for (int t = 0; t < THREADS; t++) {
        long first = first_plane(g, t), end = first_plane(g, t + 1);
        if ((first - 1 + g->n) % g->n == k)
            upc_memput_nbi(g->windows[t], from, size * sizeof *from);
        if (end % g->n == k)
            upc_memput_nbi(g->windows[t] + (end - first + 1) * size, from, size * sizeof *from);
    }
}

/* Ends the exchange. */
static void arrive(void) {
    upc_synci();
    upc_barrier;
}

/* Returns the i'th of the planes first ... end - 1 to be computed: the outer ones come first. */
static long in_turn(const struct grid *g, long i) {
    return i == 0 ? g->first : i == 1 ? g->end - 1 : g->first + i - 1;
}

/* ---- operators ----------------------------------------------------------------------------------------- */

/* to = base + the weights w applied to `from', and exchanges it. */
static void apply(const double *w, const struct grid *from, const struct grid *base, const struct grid *to) {
    long n = to->n, row = row_size(to);
    double next_row[n + 2], across_row[n + 2], *next = next_row + 1, *across = across_row + 1;
    for (long turn = 0; turn < to->end - to->first; turn++) {
        long k = in_turn(to, turn);
        const double *before = plane(from, k - 1), *here = plane(from, k), *after = plane(from, k + 1);
        for (long j = 0; j < n; j++) {
            const double *x = here + j * row, *b = plane(base, k) + j * row;
            double *result = plane(to, k) + j * row;
            gather_row(before, here, after, row, j, n, next_row, across_row);
            apply_row(w, x, b, result, next, across, n);
        }
        send(to, k);
    }
    arrive();
}

/* The coarse grid's points from the fine one's, where point i lies on 2 i + 1, and exchanges them. */
static void project(const struct grid *fine, const struct grid *coarse) {
    long row = row_size(fine);
    double next_row[fine->n + 2], across_row[fine->n + 2], *next = next_row + 1, *across = across_row + 1;
    for (long turn = 0; turn < coarse->end - coarse->first; turn++) {
        long k = in_turn(coarse, turn), below = 2 * k + 1;
        const double *before = plane(fine, below - 1), *here = plane(fine, below),
                     *after = plane(fine, below + 1);
        for (long j = 0; j < coarse->n; j++) {
            const double *x = here + (2 * j + 1) * row;
            double *result = plane(coarse, k) + j * row_size(coarse);
            gather_row(before, here, after, row, 2 * j + 1, fine->n, next_row, across_row);
            project_row(x, result, next, across, coarse->n);
        }
        send(coarse, k);
    }
    arrive();
}

/* fine += the interpolation between the coarse grid's points, in the whole window. */
static void interpolate(const struct grid *coarse, const struct grid *fine) {
    long row = row_size(coarse);
    double mean_row[coarse->n + 2], *mean = mean_row + 1;
    for (long k = fine->first - 1; k <= fine->end; k++) {
        /* An arithmetic shift: half of k, rounded down, below 0 too. */
        const double *before = plane(coarse, (k - 1) >> 1), *after = plane(coarse, k >> 1);
        for (long j = 0; j < fine->n; j++) {
            double *result = plane(fine, k) + j * row_size(fine);
            interpolate_row(before, after, result, j, row, coarse->n, mean);
        }
        close_plane(fine, k);
    }
}

/* Adds to u the correction of one V-cycle for the residual r, and computes r again. */
static void cycle(void) {
    for (int level = 1; level < top; level++)
        clear(&u[level]); /* with the copies, so before an exchange after which others write there */
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
    for (long k = g->first; k < g->end; k++)
        for (long j = 0; j < g->n; j++)
            for (long i = 0; i < g->n; i++) {
                double x = plane(g, k)[j * row_size(g) + i];
                sum += x * x;
            }
    return sqrt(all_sum(sum) / ((double)g->n * g->n * g->n));
}

/* ---- the charges --------------------------------------------------------------------------------------- */

static shared struct extremes extremes[2][THREADS]; /* of the numbers, and of their negatives */

/* v is 1 at the ten greatest of n^3 random numbers, -1 at the ten smallest, else 0. */
static void charge(void) {
    long area = (long)v.n * v.n;
    struct extremes best[2];
    memset(best, 0, sizeof best);
    for (int i = 0; i < CHARGES; i++)
        best[0].value[i] = best[1].value[i] = -2;
    uint64_t random = skip_random(SEED, v.first * area);
    for (long place = v.first * area; place < v.end * area; place++) {
        double x = next_random(&random);
        consider(&best[0], x, place);
        consider(&best[1], -x, place);
    }
    for (int sign = 0; sign < 2; sign++)
        extremes[sign][MYTHREAD] = best[sign];
    upc_barrier;
    for (int sign = 0; sign < 2; sign++) {
        for (int t = 0; t < THREADS; t++) {
            struct extremes theirs = extremes[sign][t];
            for (int i = 0; i < CHARGES && t != MYTHREAD; i++)
                consider(&best[sign], theirs.value[i], theirs.place[i]);
        }
        for (int i = 0; i < CHARGES; i++) {
            long place = best[sign].place[i], k = place / area, j = place % area / v.n;
            if (k >= v.first && k < v.end)
                plane(&v, k)[j * row_size(&v) + place % v.n] = sign ? -1 : 1;
        }
    }
}

int main(int argc, char **argv) {
    int class = read_class(argc, argv);
    top = classes[class].levels;
    for (int level = 1; level <= top; level++) {
        make_grid(&u[level], level);
        make_grid(&r[level], level);
    }
    make_grid(&v, top);
    charge();
    upc_barrier;
    double begin = seconds();
    apply(minus_laplace, &u[top], &v, &r[top]);
    for (int i = 0; i < classes[class].cycles; i++)
        cycle();
    double result = norm(&r[top]), took = seconds() - begin, points = pow(8, top);
    if (MYTHREAD == 0)
        printf("%d x %d x %d points, %d cycles, norm of the residual %.10e\n", v.n, v.n, v.n,
               classes[class].cycles, result);
    return verdict("mg", class, agrees("the norm", result, classes[class].norm, 1e-8), took,
                   58 * classes[class].cycles * points);
}
