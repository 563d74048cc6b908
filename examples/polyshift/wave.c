/* An acoustic wave in a plane, second order in time and space, that leaves through absorbing faces: a stencil
 * of two levels. Thread 0 compares it with a serial program, prints how much of the wave is left, and, if a
 * file is named, draws the plane while the wave is in it. */
#include <meridian/meridian.h>
#include <meridian/stencil.h>
#include <math.h>

#include "picture.h"

#define N 100
#define C 0.5 /* Courant number */
#define EARLY 80
#define LATE 320

/* The serial plane has a margin of one. */
#define M (N + 2)
static double grid[2][M * M];

static void margin(double *u, const double *old, int at, int in) {
    u[at] = old[in] + (C - 1) / (C + 1) * (u[in] - old[at]);
}

static void serial_step(double *u, double *old) {
    for (int j = 1; j <= N; j++) {
        margin(u, old, j, M + j);
        margin(u, old, (N + 1) * M + j, N * M + j);
    }
    for (int i = 1; i <= N; i++) {
        margin(u, old, i * M, i * M + 1);
        margin(u, old, i * M + N + 1, i * M + N);
    }
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++) {
            const double *p = &u[i * M + j];
            old[i * M + j] = -1 * old[i * M + j] + (2 - 4 * C * C) * p[0] + C * C * p[-M] + C * C * p[M] +
                             C * C * p[-1] + C * C * p[1];
        }
}

static double start(int i, int j) {
    double x = i - 40, y = j - 55;
    return exp(-(x * x + y * y) / 20);
}

/* Compares the whole plane with the serial one. Returns its largest height. */
static double compare(const double *whole, const double *u, int *wrong) {
    double most = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double x = whole[i * N + j];
            *wrong |= x != u[(i + 1) * M + j + 1];
            most = fabs(x) > most ? fabs(x) : most;
        }
    return most;
}

int main(int argc, char **argv) {
    struct mer_array_spec spec = {.name = "pressure", .type = MER_FLOAT64, .rank = 2, .extent = {N, N}};
    spec.axis[0].halo = spec.axis[1].halo = 1;
    mer_array *u = mer_array_create(&spec), *old = mer_array_like(u, "before");
    double *whole = malloc(N * N * sizeof *whole);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            whole[i * N + j] = start(i, j);
            grid[0][(i + 1) * M + j + 1] = grid[1][(i + 1) * M + j + 1] = start(i, j);
        }
    mer_array_scatter(u, whole, 0);
    mer_array_scatter(old, whole, 0);
    struct mer_term terms[] = {{-1, {0}, 1},       {2 - 4 * C * C, {0, 0}, 0}, {C * C, {-1, 0}, 0},
                               {C * C, {1, 0}, 0}, {C * C, {0, -1}, 0},        {C * C, {0, 1}, 0}};
    struct mer_stencil_spec wave = {.terms = 6, .term = terms};
    for (int k = 0; k < 2; k++)
        wave.face[k][0] = wave.face[k][1] = (struct mer_face){MER_ABSORBING, C};
    mer_stencil *stencil = mer_stencil_create(u, &wave);
    double height[2];
    int wrong = 0;
    for (int part = 0; part < 2; part++) { /* even numbers of steps: u stays the newest level */
        int steps = part ? LATE - EARLY : EARLY;
        mer_stencil_run(stencil, u, old, steps);
        for (int s = 0; s < steps; s++)
            serial_step(grid[s % 2], grid[1 - s % 2]);
        mer_array_gather(u, whole, 0);
        if (mer_mythread() == 0)
            height[part] = compare(whole, grid[0], &wrong);
        if (mer_mythread() == 0 && part == 0 && argc > 1 && picture_of(argv[1], whole, N, N, -0.2, 0.2))
            mer_global_exit(1);
    }
    if (mer_mythread() == 0) {
        wrong |= height[1] > 0.05 * height[0];
        printf("wave: highest %.4f after %d steps, %.4f after %d, %s\n", height[0], EARLY, height[1], LATE,
               wrong ? "WRONG" : "ok");
        if (wrong)
            mer_global_exit(1);
    }
    free(whole);
    mer_stencil_free(stencil);
    mer_array_free(u);
    mer_array_free(old);
    return 0;
}
