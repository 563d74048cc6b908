/* ft: the heat equation in three dimensions, solved by Fourier transforms (NAS FT).
 *
 * A grid of nz planes of ny rows of nx complex numbers is distributed over the threads in two ways: as
 * planes, for the transforms along rows and columns, and as slices, which are the same rows of all planes,
 * for the transforms along z. A slice of a thread's plane is one block of memory on both sides, so the grid
 * changes sides in transfers of whole blocks.
 *
 * Communication: on the way to slices a thread sends each plane when it has been transformed, and transforms
 * the next meanwhile (upc_memput_nb). On the way back it fetches a plane from all slices while it transforms
 * the previous one (upc_memget_nb). One barrier ends each change of sides; the sum of the checksum, over all
 * threads, ends a step, and keeps slices from being changed while they are fetched. */
#include "nas.h"
#include "ft.h"

/* The addresses of all threads' slices, their rows of each plane in turn: the spectrum, and its transform. */
typedef shared[] struct complex *slice_t;
static slice_t *spectra, *slices;

/* A buffer in which a plane is computed, and its transfers, one for each thread. */
static struct buffer {
    struct complex *plane;
    upc_handle_t *handles;
} buffers[2]; /* used in turn */

/* ---- between planes and slices ------------------------------------------------------------------------- */

/* The rows of plane z in thread t's slice. */
static slice_t piece(const slice_t *of, int t, long z) { return of[t] + z * share_of(t, ny) * nx; }

static size_t piece_size(int t) { return share_of(t, ny) * nx * sizeof(struct complex); }

/* Starts plane z on its way from a buffer to the slices. */
static void send(struct buffer *buffer, long z) {
    for (int step = 1; step <= THREADS; step++) {
        int t = (MYTHREAD + step) % THREADS; /* not all to thread 0 first */
        const struct complex *from = buffer->plane + first_of(t, ny) * nx;
        buffer->handles[t] = upc_memput_nb(piece(spectra, t, z), from, piece_size(t));
    }
}

/* Starts plane z on its way from the slices to a buffer. */
static void fetch(struct buffer *buffer, long z) {
    for (int step = 1; step <= THREADS; step++) {
        int t = (MYTHREAD + step) % THREADS;
        struct complex *to = buffer->plane + first_of(t, ny) * nx;
        buffer->handles[t] = upc_memget_nb(to, piece(slices, t, z), piece_size(t));
    }
}

/* Waits until no transfer uses the buffer. */
static void await(struct buffer *buffer) {
    for (int t = 0; t < THREADS; t++) {
        upc_sync(buffer->handles[t]);
        buffer->handles[t] = UPC_COMPLETE_HANDLE;
    }
}

/* ---- the heat equation --------------------------------------------------------------------------------- */

/* Makes the spectrum of random numbers in the whole grid. */
static void begin_spectrum(void) {
    uint64_t random = skip_random(SEED, 2 * first_plane * ny * nx);
    for (long k = 0; k < planes; k++) {
        struct buffer *buffer = &buffers[k % 2];
        await(buffer);
        for (long i = 0; i < ny * nx; i++) {
            buffer->plane[i].re = next_random(&random);
            buffer->plane[i].im = next_random(&random);
        }
        transform_plane(buffer->plane, 1);
        send(buffer, first_plane + k);
    }
    await(&buffers[0]);
    await(&buffers[1]);
    upc_barrier;
    struct complex *spectrum = (struct complex *)spectra[MYTHREAD];
    transform_slice(spectrum, spectrum, rows, 1);
}

/* Returns the checksum of the grid with this spectrum. */
static struct complex checksum(void) {
    struct complex sum = {0, 0};
    transform_slice((struct complex *)spectra[MYTHREAD], (struct complex *)slices[MYTHREAD], rows, -1);
    upc_barrier;
    if (planes > 0)
        fetch(&buffers[0], first_plane);
    for (long k = 0; k < planes; k++) {
        struct buffer *buffer = &buffers[k % 2];
        await(buffer);
        if (k + 1 < planes)
            fetch(&buffers[(k + 1) % 2], first_plane + k + 1);
        transform_plane(buffer->plane, -1);
        add_points(buffer->plane, first_plane + k, &sum);
    }
    double size = (double)nx * ny * nz;
    return (struct complex){all_sum(sum.re) / size, all_sum(sum.im) / size};
}

/* A grid as slices. Each thread has its own copy of the directory: each read of another host's memory would
 * cost a round trip. */
static slice_t *make_slices(void) {
    static shared slice_t directory[THREADS];
    slice_t *all = need(malloc(THREADS * sizeof *all));
    directory[MYTHREAD] = (slice_t)need_shared((nz * rows + 1) * nx * sizeof(struct complex));
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        all[t] = directory[t];
    upc_barrier;
    return all;
}

static void allocate_buffers(const struct class *class) {
    nx = class->nx;
    ny = class->ny;
    nz = class->nz;
    rows = share_of(MYTHREAD, ny);
    first_row = first_of(MYTHREAD, ny);
    planes = share_of(MYTHREAD, nz);
    first_plane = first_of(MYTHREAD, nz);
    spectra = make_slices();
    slices = make_slices();
    for (int i = 0; i < 2; i++) {
        buffers[i].plane = need(malloc(ny * nx * sizeof(struct complex)));
        buffers[i].handles = need(malloc(THREADS * sizeof(upc_handle_t)));
        for (int t = 0; t < THREADS; t++)
            buffers[i].handles[t] = UPC_COMPLETE_HANDLE;
    }
    make_tables();
}

int main(int argc, char **argv) {
    int chosen = read_class(argc, argv);
    const struct class *class = &classes[chosen];
    allocate_buffers(class);
    upc_barrier;
    double begin = seconds();
    bool good = true;
    begin_spectrum();
    for (int step = 0; step < STEPS; step++) {
        for (long k = 0; k < nz; k++)
            evolve((struct complex *)piece(spectra, MYTHREAD, k), k);
        struct complex sum = checksum();
        if (MYTHREAD == 0)
            printf("step %d: checksum %.8f %+.8f i\n", step + 1, sum.re, sum.im);
        good &= agrees("its real part", sum.re, class->sums[step][0], 1e-12);
        good &= agrees("its imaginary part", sum.im, class->sums[step][1], 1e-12);
    }
    double took = seconds() - begin, size = (double)nx * ny * nz;
    return verdict("ft", chosen, good, took, 5 * (STEPS + 1) * size * log2(size));
}
