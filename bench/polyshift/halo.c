/* Halo exchange of a stencil's arrays, beside halo_mpi.c: a square of doubles for each process, whose faces
 * of one element go to its four neighbours on a periodic grid of processes.
 *
 *     halo ROUNDS LENGTH TURNS [LENGTH TURNS ...]    a line for each length: "length ns", the median over the
 * rounds */
#include "timing.h"

#include <meridian/meridian.h>
#include <meridian/stencil.h>

#include <stdio.h>
#include <stdlib.h>

/* As square as can be, as MPI_Dims_create makes it. */
static void grid_of(int processes, int grid[2]) {
    grid[1] = 1;
    for (int p = 1; p * p <= processes; p++)
        if (processes % p == 0)
            grid[1] = p;
    grid[0] = processes / grid[1];
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 0, grid[2];
    if (rounds < 1 || rounds > MOST_ROUNDS || argc % 2) {
        fprintf(stderr, "usage: halo ROUNDS LENGTH TURNS ...\n");
        return 2;
    }
    grid_of(mer_threads(), grid);
    struct mer_term five[] = {{.coefficient = 0.2},
                              {.coefficient = 0.2, .offset = {-1, 0}},
                              {.coefficient = 0.2, .offset = {1, 0}},
                              {.coefficient = 0.2, .offset = {0, -1}},
                              {.coefficient = 0.2, .offset = {0, 1}}};
    for (int a = 2; a + 1 < argc; a += 2) {
        long n = atol(argv[a]), turns = atol(argv[a + 1]);
        double took[MOST_ROUNDS], zero = 0;
        struct mer_array_spec spec = {.type = MER_FLOAT64, .rank = 2};
        for (int k = 0; k < 2; k++) {
            spec.extent[k] = n * grid[k];
            spec.axis[k] = (struct mer_axis){.processes = grid[k], .halo = 1};
        }
        mer_array *u = mer_array_create(&spec);
        mer_array_fill(u, &zero);
        mer_stencil *stencil = mer_stencil_create(
            u, &(struct mer_stencil_spec){.terms = 5, .term = five, .steps = 1});
        for (int r = -1; r < rounds; r++) { /* the first one is not counted */
            mer_barrier_all();
            double begin = now();
            for (long t = 0; t < turns; t++)
                mer_stencil_fetch(stencil, u);
            mer_barrier_all();
            if (r >= 0)
                took[r] = (now() - begin) / (double)turns;
        }
        if (mer_mythread() == 0)
            printf("%ld %.1f\n", n, median(took, rounds));
        mer_stencil_free(stencil);
        mer_array_free(u);
    }
    return 0;
}
