/* Halo exchange by MPI, to compare mer_stencil_fetch with: a square of doubles for each process, whose faces
 * of one element go to its four neighbours on a periodic grid of processes.
 *
 *     halo_mpi ROUNDS LENGTH TURNS [LENGTH TURNS ...]   a line for each length: "length ns ns", the medians
 * over the rounds of persistent point-to-point messages, and of a neighbourhood collective, both of derived
 * types */
#include "timing.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct square {
    MPI_Comm grid;
    int n;
    double *at; /* (n + 2) x (n + 2) */
    MPI_Datatype row, column;
    MPI_Request request[8];
    MPI_Datatype sent[4], got[4];
    MPI_Aint from[4], to[4];
    int one[4];
};

static MPI_Aint place(const struct square *s, int i, int j) {
    return (MPI_Aint)sizeof(double) * ((MPI_Aint)i * (s->n + 2) + j);
}

/* In the order of neighbourhood collectives: along each axis the one before, then the one behind. */
static void make(struct square *s, MPI_Comm grid, int n) {
    s->grid = grid;
    s->n = n;
    s->at = calloc((size_t)(n + 2) * (size_t)(n + 2), sizeof(double));
    MPI_Type_contiguous(n, MPI_DOUBLE, &s->row);
    MPI_Type_vector(n, 1, n + 2, MPI_DOUBLE, &s->column);
    MPI_Type_commit(&s->row);
    MPI_Type_commit(&s->column);
    const int first[4][2] = {{1, 1}, {n, 1}, {1, 1}, {1, n}},
              halo[4][2] = {{0, 1}, {n + 1, 1}, {1, 0}, {1, n + 1}};
    for (int k = 0; k < 4; k++) {
        int before, behind;
        MPI_Cart_shift(grid, k / 2, 1, &before, &behind);
        int other = k % 2 ? behind : before;
        s->sent[k] = s->got[k] = k < 2 ? s->row : s->column;
        s->from[k] = place(s, first[k][0], first[k][1]);
        s->to[k] = place(s, halo[k][0], halo[k][1]);
        s->one[k] = 1;
        MPI_Send_init((char *)s->at + s->from[k], 1, s->sent[k], other, k, grid, &s->request[k]);
        MPI_Recv_init((char *)s->at + s->to[k], 1, s->got[k], other, k ^ 1, grid, &s->request[4 + k]);
    }
}

static void drop(struct square *s) {
    for (int k = 0; k < 8; k++)
        MPI_Request_free(&s->request[k]);
    MPI_Type_free(&s->row);
    MPI_Type_free(&s->column);
    free(s->at);
}

static void exchange(struct square *s, int collective) {
    if (collective) {
        MPI_Neighbor_alltoallw(s->at, s->one, s->from, s->sent, s->at, s->one, s->to, s->got, s->grid);
    } else {
        MPI_Startall(8, s->request);
        MPI_Waitall(8, s->request, MPI_STATUSES_IGNORE);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int processes, me, dims[2] = {0, 0}, periods[2] = {1, 1}, rounds = argc > 1 ? atoi(argv[1]) : 0;
    MPI_Comm grid;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Dims_create(processes, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &me);
    if (rounds < 1 || rounds > MOST_ROUNDS || argc % 2) {
        if (me == 0)
            fprintf(stderr, "usage: halo_mpi ROUNDS LENGTH TURNS ...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int a = 2; a + 1 < argc; a += 2) {
        struct square s;
        double took[2][MOST_ROUNDS];
        long turns = atol(argv[a + 1]);
        make(&s, grid, atoi(argv[a]));
        for (int r = -1; r < rounds; r++) /* the first one is not counted */
            for (int collective = 0; collective < 2; collective++) {
                MPI_Barrier(grid);
                double begin = MPI_Wtime();
                for (long t = 0; t < turns; t++)
                    exchange(&s, collective);
                MPI_Barrier(grid);
                if (r >= 0)
                    took[collective][r] = (MPI_Wtime() - begin) * 1e9 / (double)turns;
            }
        if (me == 0)
            printf("%d %.1f %.1f\n", s.n, median(took[0], rounds), median(took[1], rounds));
        drop(&s);
    }
    MPI_Finalize();
    return 0;
}
