/* The exchange of halos by MPI, the counterpart of stencils.upc: a square of doubles for each process, whose
 * faces of one element go to its four neighbours on a periodic grid of processes, by persistent
 * point-to-point messages and by a neighbourhood collective, both of derived types. */
#include "../measure-mpi.h"

#include "stencils.h"

struct square {
    int n;
    double *at; /* (n + 2) x (n + 2) */
    MPI_Datatype row, column;
    MPI_Request request[8];
    MPI_Datatype sent[4], got[4];
    MPI_Aint from[4], to[4];
    int one[4];
};

static struct square squares[FACES];
static MPI_Comm grid;

static MPI_Aint place(const struct square *s, int i, int j) {
    return (MPI_Aint)sizeof(double) * ((MPI_Aint)i * (s->n + 2) + j);
}

/* In the order of neighbourhood collectives: along each axis the neighbour before, then the one after. */
static void make(struct square *s, int n) {
    s->n = n;
    s->at = calloc((size_t)(n + 2) * (size_t)(n + 2), sizeof(double));
    if (!s->at)
        MPI_Abort(MPI_COMM_WORLD, 1);
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

/* The points are those of the first face, persistent and by the collective, then those of the second, and so
 * on. */
static struct square *square_now(void) { return &squares[(probe_now - probe_points) / 2]; }

static void persistent(long turns) {
    struct square *s = square_now();
    for (long t = 0; t < turns; t++) {
        MPI_Startall(8, s->request);
        MPI_Waitall(8, s->request, MPI_STATUSES_IGNORE);
    }
    MPI_Barrier(grid);
}

static void neighbourhood(long turns) {
    struct square *s = square_now();
    for (long t = 0; t < turns; t++)
        MPI_Neighbor_alltoallw(s->at, s->one, s->from, s->sent, s->at, s->one, s->to, s->got, grid);
    MPI_Barrier(grid);
}

static void add_halos(void) {
    int processes;
    MPI_Comm_size(grid, &processes);
    for (int i = 0; i < FACES; i++) {
        make(&squares[i], (int)faces[i]);
        struct point point = halo_point(i, "persistent", processes);
        point.run = persistent;
        probe_add(point);
        point.what = "neighbourhood", point.run = neighbourhood;
        probe_add(point);
    }
    probe_longer = STENCILS_LONGER;
}

int main(int argc, char **argv) {
    static const struct part parts[] = {{"stencils", add_halos}};
    int processes, dims[2] = {0, 0}, periods[2] = {1, 1};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &measure_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Dims_create(processes, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    int code = PROBE_MAIN(argc, argv, parts);
    for (int i = 0; i < FACES && squares[i].at; i++)
        drop(&squares[i]);
    MPI_Finalize();
    return code;
}
