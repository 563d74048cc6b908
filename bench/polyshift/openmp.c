/* The five-point stencil as one writes it by hand for one machine: "side million-points-a-second", the best
 * of several rounds, for squares of doubles. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void step(long n, const double *restrict u, double *restrict v) {
    long w = n + 2;
#pragma omp parallel for schedule(static)
    for (long i = 1; i <= n; i++)
        for (long j = 1; j <= n; j++)
            v[i * w + j] = 0.2 * u[i * w + j] + 0.2 * u[(i - 1) * w + j] + 0.2 * u[(i + 1) * w + j] +
                           0.2 * u[i * w + j - 1] + 0.2 * u[i * w + j + 1];
}

int main(void) {
    static const long sides[] = {256, 512, 4096};
    for (int s = 0; s < 3; s++) {
        long n = sides[s], turns = 400000000 / (n * n) / 4 + 2;
        size_t elements = (size_t)(n + 2) * (size_t)(n + 2);
        double *u = malloc(elements * sizeof *u), *v = malloc(elements * sizeof *v), best = 0;
        if (!u || !v)
            return 1;
#pragma omp parallel for schedule(static)
        for (long i = 0; i < n + 2; i++)
            for (long j = 0; j < n + 2; j++)
                u[i * (n + 2) + j] = v[i * (n + 2) + j] = 1;
        for (int round = 0; round < 9; round++) {
            double begin = omp_get_wtime();
            for (long t = 0; t < turns; t++)
                step(n, t % 2 ? v : u, t % 2 ? u : v);
            double speed = (double)(n * n) * (double)turns / (omp_get_wtime() - begin) / 1e6;
            best = speed > best ? speed : best;
        }
        printf("%ld %.0f\n", n, best);
        free(u);
        free(v);
    }
    return 0;
}
