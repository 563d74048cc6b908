/* ft: the sizes, the published values, transforms of lines, and the operations on a slice and a plane.
 * Serial C, included by ft.upc and by the versions with OpenMP and MPI of `meridian bench nas`. */
#ifndef NAS_FT_H
#define NAS_FT_H

#include "random.h"

#define SEED 314159265UL
#define DIFFUSION 1e-6
#define STEPS 6
#define POINTS 1024 /* of the grid, in a checksum */
#define LONGEST 256 /* transformed line */
#define LINES 16    /* transformed at a time */

static const struct class {
    long nx, ny, nz;
    double sums[STEPS][2];
} classes[] = {
    {64,
     64,
     64,
     {{554.6087004964, 484.5363331978},
      {554.6385409189, 486.5304269511},
      {554.6148406171, 488.3910722336},
      {554.5423607415, 490.1273169046},
      {554.4255039624, 491.7475857993},
      {554.2683411902, 493.2597244941}}},
    {128,
     128,
     32,
     {{567.3612178944, 529.3246849175},
      {563.1436885271, 528.2149986629},
      {559.4024089970, 527.0996558037},
      {556.0698047020, 526.0027904925},
      {553.0898991250, 524.9400845633},
      {550.4159734538, 523.9212247086}}},
    {256,
     256,
     128,
     {{504.6735008193, 511.4047905510},
      {505.9412319734, 509.8809666433},
      {506.9376896287, 509.8144042213},
      {507.7892868474, 510.1336130759},
      {508.5233095391, 510.4914655194},
      {509.1487099959, 510.7917842803}}},
};

struct complex {
    double re, im;
};

static long nx, ny, nz;
static long rows, first_row, planes, first_plane; /* this thread's */

static struct complex roots[LONGEST]; /* exp(-2 pi i k / LONGEST) */
static double decay[3][LONGEST];      /* in one step, of a wave along x, y, z */

/* ---- transforms of lines ------------------------------------------------------------------------------- */

/* LINES lines, element by element; real and imaginary parts lie apart, so that all are computed at once. */
struct lines {
    double re[LONGEST * LINES], im[LONGEST * LINES];
};

/* A pass of Stockham's transform: `parts' parts of length 2 m, from parts of length m. */
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

/* Transforms `many' lines of n numbers each, LINES at a time: number i of line l is from[i * step + l *
 * next], and goes to the same place in `to'. The sign is 1 forwards, -1 backwards. */
static void transform(const struct complex *from, struct complex *to, long n, long step, long many, long next,
                      int sign) {
    struct lines buffers[2];
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

/* Along z: `many' rows of a slice. */
static void transform_slice(const struct complex *from, struct complex *to, long many, int sign) {
    transform(from, to, nz, rows * nx, many * nx, 1, sign);
}

/* ---- the heat equation --------------------------------------------------------------------------------- */

/* One step of time of a slice's rows of plane k: the shorter a wave, the faster it decays. */
static void evolve(struct complex *x, long k) {
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

#endif
