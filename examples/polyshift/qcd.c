/* Nearest neighbours on a lattice of four dimensions, as in lattice QCD (TR-18-93, section 1 and figure 6):
 * for a field of complex vectors f and unitary 3 x 3 matrices U, one for each site and direction,
 *
 *     g(x) = sum over the directions m of  U(m, x) f(x + m) - U(m, x - m)^H f(x - m)
 *
 * Eight shifts in one mer_pshift: four of f forward, four of U^H f, made at each site, backward.  The colours
 * of a vector are an axis that is wholly local.  Thread 0 compares with a serial program. */
#include <meridian/array.h>
#include <meridian/meridian.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define L 4
#define SITES (L * L * L * L)

typedef double complex number;

/* Numbers that depend on the site alone.  A matrix is unitary: columns of phases on the unit roots of 3. */
static number field(int site, int c) { return cos(site * 0.7 + c) + I * sin(site * 1.3 - 2 * c); }
static number matrix(int m, int site, int row, int column) {
    double turn = 2 * M_PI / 3 * row * column + 0.3 * m * row + 0.11 * site * column;
    return (cos(turn) + I * sin(turn)) / sqrt(3);
}

/* y += sign * U x, or U^H x. */
static void multiply(number *y, double sign, int m, int site, int adjoint, const number *x) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            y[r] += sign * (adjoint ? conj(matrix(m, site, c, r)) : matrix(m, site, r, c)) * x[c];
}

static int neighbour(int site, int m, int by) {
    static const int step[4] = {L * L * L, L * L, L, 1};
    int i = site / step[m] % L;
    return site + ((i + by + L) % L - i) * step[m];
}

static double serial(const number *g) {
    double most = 0;
    for (int site = 0; site < SITES; site++) {
        number y[3] = {0}, f[3];
        for (int m = 0; m < 4; m++)
            for (int by = 1; by >= -1; by -= 2) {
                int other = neighbour(site, m, by);
                for (int c = 0; c < 3; c++)
                    f[c] = field(other, c);
                multiply(y, by, m, by > 0 ? site : other, by < 0, f);
            }
        for (int c = 0; c < 3; c++)
            most = fmax(most, cabs(y[c] - g[3 * site + c]));
    }
    return most;
}

/* Calls work(site, vectors of each of n arrays) for the sites of this thread. */
static void each_site(int n, mer_array *const *array, void (*work)(int site, number **vector)) {
    struct mer_array_info info[16];
    for (int a = 0; a < n; a++)
        mer_array_describe(array[a], mer_mythread(), &info[a]);
    long *count = info[0].count, *first = info[0].first, i[4];
    for (i[0] = 0; i[0] < count[0]; i[0]++)
        for (i[1] = 0; i[1] < count[1]; i[1]++)
            for (i[2] = 0; i[2] < count[2]; i[2]++)
                for (i[3] = 0; i[3] < count[3]; i[3]++) {
                    number *vector[16];
                    int site = 0;
                    for (int k = 0; k < 4; k++)
                        site = site * L + (int)(first[k] + i[k]);
                    for (int a = 0; a < n; a++) {
                        char *at = info[a].local;
                        for (int k = 0; k < 4; k++)
                            at += i[k] * info[a].stride[k];
                        vector[a] = (number *)(void *)at;
                    }
                    work(site, vector);
                }
}

/* f, and U^H f in each direction */
static void prepare(int site, number **vector) {
    for (int c = 0; c < 3; c++)
        vector[0][c] = field(site, c);
    for (int m = 0; m < 4; m++) {
        vector[1 + m][0] = vector[1 + m][1] = vector[1 + m][2] = 0;
        multiply(vector[1 + m], 1, m, site, 1, vector[0]);
    }
}

/* g from the vectors of both sides */
static void combine(int site, number **vector) {
    for (int c = 0; c < 3; c++)
        vector[0][c] = 0;
    for (int m = 0; m < 4; m++) {
        multiply(vector[0], 1, m, site, 0, vector[1 + m]);
        for (int c = 0; c < 3; c++)
            vector[0][c] -= vector[5 + m][c];
    }
}

int main(void) {
    struct mer_array_spec spec = {.name = "f", .type = MER_COMPLEX128, .rank = 5, .extent = {L, L, L, L, 3}};
    spec.axis[4].serial = 1;
    mer_array *f = mer_array_create(&spec), *local[5] = {f}, *shifted[9], *to[8];
    const mer_array *from[8];
    struct mer_shift shift[8];
    shifted[0] = mer_array_like(f, "g");
    for (int m = 0; m < 4; m++) {
        local[1 + m] = mer_array_like(f, "U^H f");
        shift[m] = (struct mer_shift){.kind = MER_CSHIFT, .axis = m, .distance = 1};
        shift[4 + m] = (struct mer_shift){.kind = MER_CSHIFT, .axis = m, .distance = -1};
        from[m] = f;
        from[4 + m] = local[1 + m];
        to[m] = shifted[1 + m] = mer_array_like(f, "from above");
        to[4 + m] = shifted[5 + m] = mer_array_like(f, "from below");
    }
    int id = mer_pshift_setup(f, 8, shift);
    each_site(5, local, prepare);
    mer_pshift(id, to, from, NULL);
    each_site(9, shifted, combine);
    mer_pshift_free(id);
    number *g = malloc(SITES * 3 * sizeof *g);
    mer_array_gather(shifted[0], g, 0);
    if (mer_mythread() == 0) {
        int wrong = !(serial(g) < 1e-12);
        printf("qcd: nearest neighbours of %d sites in four dimensions, %s\n", SITES, wrong ? "WRONG" : "ok");
        if (wrong)
            mer_global_exit(1);
    }
    free(g);
    for (int i = 0; i < 5; i++)
        mer_array_free(local[i]);
    for (int i = 0; i < 9; i++)
        mer_array_free(shifted[i]);
    return 0;
}
