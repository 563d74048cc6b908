/* The five-point and the seven-point stencil as one writes them by hand for one machine: "name side
 * million-points-a-second", the best of several rounds, for squares and cubes of doubles. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

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

typedef void step(long n, const double *restrict u, double *restrict v);

/* Million points a second; negative: there is no memory. */
static double speed_of(step *one, int rank, long n) {
    size_t points = 1, elements = 1;
    for (int k = 0; k < rank; k++) {
        points *= (size_t)n;
        elements *= (size_t)n + 2;
    }
    long turns = 100000000 / (long)points + 2;
    double *u = malloc(elements * sizeof *u), *v = malloc(elements * sizeof *v), best = 0;
    if (!u || !v)
        return -1;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < elements; i++)
        u[i] = v[i] = 1;
    for (int round = 0; round < 9; round++) {
        double begin = omp_get_wtime();
        for (long t = 0; t < turns; t++)
            one(n, t % 2 ? v : u, t % 2 ? u : v);
        double speed = (double)points * (double)turns / (omp_get_wtime() - begin) / 1e6;
        best = speed > best ? speed : best;
    }
    free(u);
    free(v);
    return best;
}

int main(void) {
    static const struct {
        const char *name;
        step *step;
        int rank;
        long side;
    } all[] = {{"5-point", five, 2, 256},
               {"5-point", five, 2, 512},
               {"5-point", five, 2, 4096},
               {"7-point", seven, 3, 64},
               {"7-point", seven, 3, 256}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        double speed = speed_of(all[i].step, all[i].rank, all[i].side);
        if (speed < 0)
            return 1;
        printf("%s %ld %.0f\n", all[i].name, all[i].side, speed);
    }
    return 0;
}
