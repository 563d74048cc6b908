/* ft: the heat equation in three dimensions, solved by Fourier transforms (NAS FT).
 *
 * A grid of nz planes of ny rows of nx complex numbers lies on the threads in two ways: as planes, for the
 * transforms along rows and columns, and as slices, which are the same rows of all planes, for the transforms
 * along z.  A slice of a thread's plane is one block of memory on both sides, so the grid changes sides in
 * transfers of whole blocks.
 *
 * Communication: on the way to slices a thread sends each plane when it has been transformed, and transforms
 * the next while that is under way (upc_memput_nb).  On the way back it fetches a plane from all slices while
 * it transforms the one before (upc_memget_nb).  One barrier a change of sides; the sum of the checksum, over
 * all threads, ends a step, and keeps slices from being changed while they are fetched. */
#include "nas.h"

#define SEED 314159265UL
#define DIFFUSION 1e-6
#define STEPS 6
#define POINTS 1024 /* of the grid, in a checksum */
#define LONGEST 256 /* line that is transformed */
#define LINES 16    /* that are transformed at a time */

static const struct class {
    long nx, ny, nz;
    double sums[STEPS][2];
} classes[] = {
    {64, 64, 64, {{554.6087004964, 484.5363331978}, {554.6385409189, 486.5304269511},
                  {554.6148406171, 488.3910722336}, {554.5423607415, 490.1273169046},
                  {554.4255039624, 491.7475857993}, {554.2683411902, 493.2597244941}}},
    {128, 128, 32, {{567.3612178944, 529.3246849175}, {563.1436885271, 528.2149986629},
                    {559.4024089970, 527.0996558037}, {556.0698047020, 526.0027904925},
                    {553.0898991250, 524.9400845633}, {550.4159734538, 523.9212247086}}},
    {256, 256, 128, {{504.6735008193, 511.4047905510}, {505.9412319734, 509.8809666433},
                     {506.9376896287, 509.8144042213}, {507.7892868474, 510.1336130759},
                     {508.5233095391, 510.4914655194}, {509.1487099959, 510.7917842803}}},
};

struct complex {
    double re, im;
};

static long nx, ny, nz;
static long rows, first_row, planes, first_plane; /* this thread's */

/* Where each thread's slice is, its rows of each plane in turn: the spectrum, and what becomes of it. */
typedef shared[] struct complex *slice_t;
static slice_t *spectra, *slices;

/* Where a plane is computed, and its transfers, one for each thread. */
static struct buffer {
    struct complex *plane;
    upc_handle_t *handles;
} buffers[2]; /* used in turn */

static struct complex roots[LONGEST]; /* exp(-2 pi i k / LONGEST) */
static double decay[3][LONGEST];      /* in one step, of a wave along x, y, z */

/* ---- transforms of lines ------------------------------------------------------------------------------- */

/* LINES lines, element by element; real and imaginary parts lie apart, so that all are computed at once. */
struct lines {
    double re[LONGEST * LINES], im[LONGEST * LINES];
};

/* A pass of Stockham's transform: as many parts of length 2 m as `parts' says, from those of length m. */
static void pass(const struct lines *from, struct lines *to, long parts, long m, int sign) {
    for (long j = 0; j < parts; j++) {
        struct complex w = roots[j * (LONGEST / 2 / parts)];
        double w_im = sign * w.im;
        const double *a_re = from->re + j * m * LINES, *b_re = a_re + parts * m * LINES;
        const double *a_im = from->im + j * m * LINES, *b_im = a_im + parts * m * LINES;
        double *restrict sum_re = to->re + 2 * j * m * LINES, *restrict turned_re = sum_re + m * LINES;
        double *restrict sum_im = to->im + 2 * j * m * LINES, *restrict turned_im = sum_im + m * LINES;
        for (long i = 0; i < m * LINES; i++) {
            double re = a_re[i] - b_re[i], im = a_im[i] - b_im[i];
            sum_re[i] = a_re[i] + b_re[i];
            sum_im[i] = a_im[i] + b_im[i];
            turned_re[i] = w.re * re - w_im * im;
            turned_im[i] = w.re * im + w_im * re;
        }
    }
}

/* Transforms `many' lines of n numbers each, so many as LINES says at a time: number i of line l is
 * from[i * step + l * next], and goes to the same place in `to'.  The sign is 1 forwards, -1 backwards. */
static void transform(const struct complex *from, struct complex *to, long n, long step, long many, long next,
                      int sign) {
    static struct lines buffers[2];
    for (long line = 0; line < many; line += LINES) {
        struct lines *now = &buffers[0], *then = &buffers[1];
        long count = many - line < LINES ? many - line : LINES;
        for (long i = 0; i < n; i++)
            for (long l = 0; l < count; l++) {
                struct complex x = from[i * step + (line + l) * next];
                now->re[i * LINES + l] = x.re;
                now->im[i * LINES + l] = x.im;
            }
        for (long m = 1; m < n; m *= 2) {
            pass(now, then, n / 2 / m, m, sign);
            struct lines *old = now;
            now = then;
            then = old;
        }
        for (long i = 0; i < n; i++)
            for (long l = 0; l < count; l++)
                to[i * step + (line + l) * next] = (struct complex){now->re[i * LINES + l],
                                                                    now->im[i * LINES + l]};
    }
}

static void transform_plane(struct complex *plane, int sign) {
    transform(plane, plane, nx, 1, ny, nx, sign);
    transform(plane, plane, ny, nx, nx, 1, sign);
}

/* Along z, all of this thread's slice. */
static void transform_slice(const struct complex *from, struct complex *to, int sign) {
    transform(from, to, nz, rows * nx, rows * nx, 1, sign);
}

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

/* The spectrum of random numbers in all the grid. */
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
    transform_slice(spectrum, spectrum, 1);
}

/* One step of time: each wave decays as fast as it is short. */
static void evolve(void) {
    struct complex *x = (struct complex *)spectra[MYTHREAD];
    for (long k = 0; k < nz; k++)
        for (long j = 0; j < rows; j++) {
            double factor = decay[2][k] * decay[1][first_row + j];
            for (long i = 0; i < nx; i++, x++) {
                x->re *= factor * decay[0][i];
                x->im *= factor * decay[0][i];
            }
        }
}

/* Adds the points of the checksum that are in plane z. */
static void add_points(const struct complex *plane, long z, struct complex *sum) {
    for (long j = 1; j <= POINTS; j++)
        if (5 * j % nz == z) {
            struct complex x = plane[3 * j % ny * nx + j % nx];
            sum->re += x.re;
            sum->im += x.im;
        }
}

/* The checksum of the grid that has this spectrum. */
static struct complex checksum(void) {
    struct complex sum = {0, 0};
    transform_slice((struct complex *)spectra[MYTHREAD], (struct complex *)slices[MYTHREAD], -1);
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

static void make_tables(void) {
    const double pi = acos(-1);
    const long n[3] = {nx, ny, nz};
    for (int k = 0; k < LONGEST; k++)
        roots[k] = (struct complex){cos(2 * pi * k / LONGEST), -sin(2 * pi * k / LONGEST)};
    for (int side = 0; side < 3; side++)
        for (long k = 0; k < n[side]; k++) {
            double wave = k < n[side] / 2 ? k : k - n[side];
            decay[side][k] = exp(-4 * DIFFUSION * pi * pi * wave * wave);
        }
}

/* A grid as slices.  Each thread has its own copy of the directory: one that is read in another host's memory
 * costs a message there and back each time. */
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
        evolve();
        struct complex sum = checksum();
        if (MYTHREAD == 0)
            printf("step %d: checksum %.8f %+.8f i\n", step + 1, sum.re, sum.im);
        good &= agrees("its real part", sum.re, class->sums[step][0], 1e-12);
        good &= agrees("its imaginary part", sum.im, class->sums[step][1], 1e-12);
    }
    double took = seconds() - begin, size = (double)nx * ny * nz;
    return verdict("ft", chosen, good, took, 5 * (STEPS + 1) * size * log2(size));
}
