/* NAS FT, the counterpart of examples/nas/ft.upc. With OpenMP the grid is in memory once, and loops over its
 * planes and its rows are shared out. With MPI each process has planes on one side and slices (the same rows
 * of all planes) on the other, and MPI_Alltoallv changes sides; a slice arrives in the order of its elements
 * in memory. */
#include "../c/parallel.h"
#include "../../examples/nas/ft.h"

static struct complex *grid, *spectrum, *slice; /* the process's planes; its rows of all planes, twice */
#ifdef WITH_MPI
static struct complex *packed; /* the planes, grouped by the process that has the rows */
static int *lengths[2], *places[2];

/* Copies between the planes and `packed', in one direction or the other. */
static void pack(bool forth) {
    struct complex *piece = packed;
    for (int t = 0; t < processes; t++)
        for (long k = 0; k < planes; k++) {
            struct complex *there = grid + (k * ny + first_of(t, ny)) * nx;
            long size = share_of(t, ny) * nx;
            memcpy(forth ? piece : there, forth ? there : piece, size * sizeof *piece);
            piece += size;
        }
}
#endif

/* Moves the data from planes to slices. to_planes moves it back. */
static void to_slices(struct complex *to) {
#ifdef WITH_MPI
    pack(true);
    MPI_Alltoallv(packed, lengths[0], places[0], MPI_DOUBLE, to, lengths[1], places[1], MPI_DOUBLE,
                  MPI_COMM_WORLD);
#else
    (void)to;
#endif
}

static void to_planes(const struct complex *from) {
#ifdef WITH_MPI
    MPI_Alltoallv(from, lengths[1], places[1], MPI_DOUBLE, packed, lengths[0], places[0], MPI_DOUBLE,
                  MPI_COMM_WORLD);
    pack(false);
#else
    (void)from;
#endif
}

/* Transforms all rows of the slice along z; a thread has whole rows. */
static void transform_rows(const struct complex *from, struct complex *to, int sign) {
#pragma omp parallel for
    for (long j = 0; j < rows; j++)
        transform_slice(from + j * nx, to + j * nx, 1, sign);
}

static void begin_spectrum(void) {
#pragma omp parallel for
    for (long k = 0; k < planes; k++) {
        struct complex *plane = grid + k * ny * nx;
        uint64_t random = skip_random(SEED, 2 * (first_plane + k) * ny * nx);
        for (long i = 0; i < ny * nx; i++) {
            plane[i].re = next_random(&random);
            plane[i].im = next_random(&random);
        }
        transform_plane(plane, 1);
    }
    to_slices(spectrum);
    transform_rows(spectrum, spectrum, 1);
}

static struct complex checksum(void) {
    double re = 0, im = 0, size = (double)nx * ny * nz;
    transform_rows(spectrum, slice, -1);
    to_planes(slice);
#pragma omp parallel for reduction(+ : re, im)
    for (long k = 0; k < planes; k++) {
        struct complex sum = {0, 0}, *plane = grid + k * ny * nx;
        transform_plane(plane, -1);
        add_points(plane, first_plane + k, &sum);
        re += sum.re;
        im += sum.im;
    }
    return (struct complex){all_sum(re) / size, all_sum(im) / size};
}

/* Allocates the grids. With OpenMP a slice is the grid. The spectrum must be kept, so there are two grids,
 * and the first spectrum is computed in the place of the planes. */
static void allocate(void) {
    size_t size = (nz * rows + 1) * nx * sizeof(struct complex);
    spectrum = need(malloc(size));
    slice = need(malloc(size));
#ifdef WITH_MPI
    size = (planes * ny + 1) * nx * sizeof(struct complex);
    grid = need(malloc(size));
    packed = need(malloc(size));
    for (int i = 0; i < 2; i++) {
        lengths[i] = need(malloc(processes * sizeof(int)));
        places[i] = need(malloc(processes * sizeof(int)));
        for (int t = 0; t < processes; t++) {
            long others[2] = {share_of(t, ny), share_of(t, nz)}, own[2] = {planes, rows};
            lengths[i][t] = (int)(2 * own[i] * others[i] * nx); /* in doubles */
            places[i][t] = t ? places[i][t - 1] + lengths[i][t - 1] : 0;
        }
    }
#endif
}

int main(int argc, char **argv) {
    const struct class *class = &classes[parallel_begin(argc, argv, "SWA")];
    nx = class->nx, ny = class->ny, nz = class->nz;
    rows = share_of(rank, ny), first_row = first_of(rank, ny);
    planes = share_of(rank, nz), first_plane = first_of(rank, nz);
    allocate();
    make_tables();
    all_wait();
    double begin = seconds();
    bool good = true;
#ifndef WITH_MPI
    grid = spectrum;
#endif
    begin_spectrum();
#ifndef WITH_MPI
    grid = slice;
#endif
    for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for
        for (long k = 0; k < nz; k++)
            evolve(spectrum + k * rows * nx, k);
        struct complex sum = checksum();
        good &= agrees("the real part", sum.re, class->sums[step][0], 1e-12);
        good &= agrees("the imaginary part", sum.im, class->sums[step][1], 1e-12);
    }
    double took = seconds() - begin, size = (double)nx * ny * nz;
    return verdict("ft", good, took, 5 * (STEPS + 1) * size * log2(size));
}
