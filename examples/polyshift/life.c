/* The Game of Life on a torus: a stencil from an expression. Thread 0 compares it with a serial program, and
 * draws the last generation if a file is named. */
#include <meridian/meridian.h>
#include <meridian/stencil.h>

#include "picture.h"

#define N 120
#define STEPS 100

typedef unsigned char cell;

#define NEIGHBOURS                                                                                           \
    (MER_AT2(-1, -1) + MER_AT2(-1, 0) + MER_AT2(-1, 1) + MER_AT2(0, -1) + MER_AT2(0, 1) + MER_AT2(1, -1) +   \
     MER_AT2(1, 0) + MER_AT2(1, 1))
MER_STENCIL(life, cell, (cell)((NEIGHBOURS | MER_AT2(0, 0)) == 3))

static cell *serial(const cell *start) {
    cell *u = malloc(N * N), *v = malloc(N * N);
    memcpy(u, start, N * N);
    for (int s = 0; s < STEPS; s++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                int n = 0;
                for (int a = -1; a <= 1; a++)
                    for (int b = -1; b <= 1; b++)
                        n += (a || b) && u[(i + a + N) % N * N + (j + b + N) % N];
                v[i * N + j] = n == 3 || (n == 2 && u[i * N + j]);
            }
        cell *w = u;
        u = v;
        v = w;
    }
    free(v);
    return u;
}

static int draw(const char *path, const cell *u) {
    unsigned char *rgb = malloc(3 * N * N);
    for (int i = 0; i < 3 * N * N; i++)
        rgb[i] = u[i / 3] ? 0 : 255;
    int error = picture_write(path, N, N, rgb);
    free(rgb);
    return error;
}

int main(int argc, char **argv) {
    struct mer_array_spec spec = {.name = "cells", .type = MER_UINT8, .rank = 2, .extent = {N, N}};
    spec.axis[0].halo = spec.axis[1].halo = 1;
    mer_array *u = mer_array_create(&spec), *v = mer_array_like(u, "next");
    cell *start = malloc(N * N), *end = malloc(N * N);
    unsigned random = 1;
    for (int i = 0; i < N * N; i++) {
        random = random * 1664525U + 1013904223U;
        start[i] = random >> 30 == 0;
    }
    mer_array_scatter(u, start, 0);
    mer_stencil *rule = mer_stencil_create(u, &(struct mer_stencil_spec){.rows = life, .radius = {1, 1}});
    mer_array_gather(mer_stencil_run(rule, u, v, STEPS), end, 0);
    if (mer_mythread() == 0) {
        cell *wanted = serial(start);
        int alive = 0, wrong = memcmp(end, wanted, N * N) != 0;
        for (int i = 0; i < N * N; i++)
            alive += end[i];
        printf("life: %d generations of %d x %d cells, %d alive, %s\n", STEPS, N, N, alive,
               wrong ? "WRONG" : "ok");
        if (wrong || (argc > 1 && draw(argv[1], end)))
            mer_global_exit(1);
        free(wanted);
    }
    free(start);
    free(end);
    mer_stencil_free(rule);
    mer_array_free(u);
    mer_array_free(v);
    return 0;
}
