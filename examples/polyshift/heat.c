/* Heat in a plate, by a five-point stencil: the left edge is kept at 1, the right one at 0, and no heat
 * passes the other two. Thread 0 compares the plate with a serial program's, and draws it if a file is
 * named:
 *
 *     meridian cc -O2 -o heat heat.c && meridian run -n 4 heat plate.png
 */
#include <meridian/meridian.h>
#include <meridian/stencil.h>

#include "picture.h"

#define N 96
#define STEPS 500
#define K 0.2

static double at(const double *u, int i, int j) {
    if (j < 0 || j >= N)
        return j < 0 ? 1 : 0;
    i = i < 0 ? 0 : i >= N ? N - 1 : i;
    return u[i * N + j];
}

static double *serial(void) {
    double *u = calloc(N * N, sizeof *u), *v = calloc(N * N, sizeof *v);
    for (int s = 0; s < STEPS; s++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                v[i * N + j] = (1 - 4 * K) * at(u, i, j) + K * at(u, i - 1, j) + K * at(u, i + 1, j) +
                               K * at(u, i, j - 1) + K * at(u, i, j + 1);
        double *w = u;
        u = v;
        v = w;
    }
    free(v);
    return u;
}

int main(int argc, char **argv) {
    struct mer_array_spec plate = {.name = "plate", .type = MER_FLOAT64, .rank = 2, .extent = {N, N}};
    plate.axis[0].halo = plate.axis[1].halo = 4; /* wide enough for four steps an exchange */
    mer_array *u = mer_array_create(&plate), *v = mer_array_like(u, "next");
    struct mer_term five[] = {
        {1 - 4 * K, {0, 0}, 0}, {K, {-1, 0}, 0}, {K, {1, 0}, 0}, {K, {0, -1}, 0}, {K, {0, 1}, 0}};
    struct mer_stencil_spec heat = {.terms = 5, .term = five};
    heat.face[0][0].kind = heat.face[0][1].kind = MER_REFLECTING;
    heat.face[1][0] = (struct mer_face){MER_VALUE, 1};
    heat.face[1][1] = (struct mer_face){MER_VALUE, 0};
    mer_stencil *stencil = mer_stencil_create(u, &heat);
    mer_array *plate_now = mer_stencil_run(stencil, u, v, STEPS);
    double *whole = malloc(N * N * sizeof *whole);
    mer_array_gather(plate_now, whole, 0);
    if (mer_mythread() == 0) {
        double *wanted = serial(), heat_left = 0;
        for (int i = 0; i < N * N; i++)
            heat_left += whole[i];
        int wrong = memcmp(whole, wanted, N * N * sizeof *whole) != 0;
        printf("heat: %d steps of a plate of %d x %d, mean %.6f, %s\n", STEPS, N, N, heat_left / (N * N),
               wrong ? "WRONG" : "ok");
        if (wrong || (argc > 1 && picture_of(argv[1], whole, N, N, 0, 1)))
            mer_global_exit(1);
        free(wanted);
    }
    free(whole);
    mer_stencil_free(stencil);
    mer_array_free(u);
    mer_array_free(v);
    return 0;
}
