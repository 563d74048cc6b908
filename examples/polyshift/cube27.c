/* A 27-point stencil in three dimensions, twice: by shifts as in figure 7 of TR-18-93, in which the results
 * of one mer_pshift are the sources of the next, so that corners need no messages of their own; and by a
 * stencil, which moves nothing within a process. Thread 0 compares both with a serial program. */
#include <meridian/meridian.h>
#include <meridian/stencil.h>
#include <math.h>

#include <stdio.h>
#include <stdlib.h>

#define N 18
#define VOLUME (N * N * N)

/* The weight of a neighbour by the number of axes along which it is offset. */
static const double weight[4] = {0.4, 0.05, 0.02, 0.0075};

static double start(int i, int j, int k) { return (double)((i * 7 + j * 5 + k * 3) % 11) - 5; }

static void serial(double *made) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) {
                double sum = 0;
                for (int a = -1; a <= 1; a++)
                    for (int b = -1; b <= 1; b++)
                        for (int c = -1; c <= 1; c++)
                            sum += weight[abs(a) + abs(b) + abs(c)] *
                                   start((i + a + N) % N, (j + b + N) % N, (k + c + N) % N);
                made[(i * N + j) * N + k] = sum;
            }
}

/* made += w * u, on this thread's part. */
static void add(mer_array *made, double w, const mer_array *u) {
    struct mer_array_info m, x;
    mer_array_describe(made, mer_mythread(), &m);
    mer_array_describe(u, mer_mythread(), &x);
    for (long i = 0; i < m.count[0]; i++)
        for (long j = 0; j < m.count[1]; j++) {
            double *to = (double *)((char *)m.local + i * m.stride[0] + j * m.stride[1]);
            const double *from = (const double *)((const char *)x.local + i * x.stride[0] + j * x.stride[1]);
            for (long k = 0; k < m.count[2]; k++)
                to[k] += w * from[k];
        }
}

/* grid[a][b][c] is u shifted by a - 1, b - 1 and c - 1: two shifts, then six, then eighteen. */
static void by_shifts(mer_array *made, mer_array *u) {
    mer_array *grid[3][3][3];
    double zero = 0;
    for (int i = 0; i < 27; i++)
        (&grid[0][0][0])[i] = i == 13 ? u : mer_array_like(u, NULL);
    int reach[3] = {0, 0, 0}; /* 1 for axes along which shifts have been done */
    for (int axis = 0; axis < 3; axis++) {
        struct mer_shift shift[18];
        mer_array *to[18];
        const mer_array *from[18];
        int n = 0;
        for (int a = -reach[0]; a <= reach[0]; a++)
            for (int b = -reach[1]; b <= reach[1]; b++)
                for (int side = -1; side <= 1; side += 2) {
                    int at[3] = {a, b, 0};
                    from[n] = grid[at[0] + 1][at[1] + 1][at[2] + 1];
                    at[axis] = side;
                    to[n] = grid[at[0] + 1][at[1] + 1][at[2] + 1];
                    shift[n++] = (struct mer_shift){.kind = MER_CSHIFT, .axis = axis, .distance = side};
                }
        int id = mer_pshift_setup(u, n, shift);
        mer_pshift(id, to, from, NULL);
        mer_pshift_free(id);
        reach[axis] = 1;
    }
    mer_array_fill(made, &zero);
    for (int i = 0; i < 27; i++)
        add(made, weight[abs(i / 9 - 1) + abs(i / 3 % 3 - 1) + abs(i % 3 - 1)], (&grid[0][0][0])[i]);
    for (int i = 0; i < 27; i++)
        if (i != 13)
            mer_array_free((&grid[0][0][0])[i]);
}

static mer_array *by_stencil(mer_array *u, mer_array *other) {
    struct mer_term term[27];
    for (int i = 0; i < 27; i++) {
        int a = i / 9 - 1, b = i / 3 % 3 - 1, c = i % 3 - 1;
        term[i] = (struct mer_term){weight[abs(a) + abs(b) + abs(c)], {a, b, c}, 0};
    }
    mer_stencil *s = mer_stencil_create(u, &(struct mer_stencil_spec){.terms = 27, .term = term});
    mer_array *made = mer_stencil_run(s, u, other, 1);
    mer_stencil_free(s);
    return made;
}

static double difference(const double *a, const double *b) {
    double most = 0;
    for (int i = 0; i < VOLUME; i++)
        most = fabs(a[i] - b[i]) > most ? fabs(a[i] - b[i]) : most;
    return most;
}

int main(void) {
    struct mer_array_spec spec = {.name = "u", .type = MER_FLOAT64, .rank = 3, .extent = {N, N, N}};
    for (int k = 0; k < 3; k++)
        spec.axis[k].halo = 1;
    mer_array *u = mer_array_create(&spec), *v = mer_array_like(u, "by shifts"),
              *w = mer_array_like(u, "other");
    static double whole[VOLUME], shifted[VOLUME], wanted[VOLUME];
    for (int i = 0; i < VOLUME; i++)
        whole[i] = start(i / (N * N), i / N % N, i % N);
    mer_array_scatter(u, whole, 0);
    by_shifts(v, u);
    mer_array_gather(v, shifted, 0);
    mer_array_gather(by_stencil(u, w), whole, 0);
    if (mer_mythread() == 0) {
        serial(wanted);
        int wrong = difference(shifted, wanted) > 1e-12 || difference(whole, wanted) > 1e-12;
        printf("cube27: 27 points of a cube of %d, by shifts and by a stencil, %s\n", N,
               wrong ? "WRONG" : "ok");
        if (wrong)
            mer_global_exit(1);
    }
    mer_array_free(u);
    mer_array_free(v);
    mer_array_free(w);
    return 0;
}
