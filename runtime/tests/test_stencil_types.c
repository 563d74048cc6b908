/* Stencils of every element type, by terms and by kernels, with faces of values: against a serial program in
 * whole numbers, which all types hold exactly, integers modulo their range. Kernels of rank 5 to 7, and axes
 * that are shorter than the reach of stencils. */
#include "job.h"

#include "array/layout/runtime.h"
#include "array/layout/type.h"

#include <meridian/stencil.h>

#define ROWS 9
#define COLUMNS 13
#define STEPS 5

typedef long long level[ROWS][COLUMNS];

/* Stores a number as an element: integers are cut off, as they wrap around. */
static void element(enum mer_type type, long long number, void *bytes) {
    if (type <= MER_UINT64)
        memcpy(bytes, &number, mer_type_size(type)); /* the first bytes are the lowest */
    else
        CHECK(mer_type_value(type, (double)number, bytes));
}

static void fill(mer_array *a, const struct mer_array_info *i, level numbers) {
    for (long x = 0; x < i->count[0]; x++)
        for (long y = 0; y < i->count[1]; y++)
            element(i->type, numbers[i->first[0] + x][i->first[1] + y],
                    mer_array_at(a, (long[]){i->first[0] + x, i->first[1] + y}));
}

static void expect(const mer_array *a, level numbers) {
    struct mer_array_info i;
    char bytes[MER_TYPE_MOST];
    mer_array_describe(a, ME, &i);
    for (long x = 0; x < i.count[0]; x++)
        for (long y = 0; y < i.count[1]; y++) {
            long at[2] = {i.first[0] + x, i.first[1] + y};
            element(i.type, numbers[at[0]][at[1]], bytes);
            if (i.type == MER_LONG_DOUBLE) /* without the padding bytes */
                CHECK(*(long double *)mer_array_at(a, at) == (long double)numbers[at[0]][at[1]]);
            else if (i.type != MER_COMPLEX_LONG_DOUBLE)
                CHECK(memcmp(mer_array_at(a, at), bytes, i.size) == 0);
            else
                CHECK(*(long double *)mer_array_at(a, at) == (long double)numbers[at[0]][at[1]] &&
                      ((long double *)mer_array_at(a, at))[1] == 0);
        }
}

/* ---- terms --------------------------------------------------------------------------------------------- */

static const struct mer_term terms[] = {{.coefficient = 1, .offset = {-1, 0}},
                                        {.coefficient = 3, .old = 1},
                                        {.coefficient = -2, .offset = {0, 2}},
                                        {.coefficient = 1, .offset = {1, -1}}};

/* Periodic along axis 0; 3 before axis 1, the mirror image after it. */
static long long of(level u, long x, long y) {
    y = y >= COLUMNS ? 2 * COLUMNS - 1 - y : y;
    return y < 0 ? 3 : u[(x + ROWS) % ROWS][y];
}

static void serial(level u, level old) {
    for (int step = 0; step < STEPS; step++) {
        level made;
        for (long x = 0; x < ROWS; x++)
            for (long y = 0; y < COLUMNS; y++)
                made[x][y] = of(u, x - 1, y) + 3 * old[x][y] - 2 * of(u, x, y + 2) + of(u, x + 1, y - 1);
        memcpy(old, u, sizeof made);
        memcpy(u, made, sizeof made);
    }
}

static struct mer_array_spec grid(enum mer_type type, int steps) {
    struct mer_array_spec spec = {.name = "u", .type = type, .rank = 2, .extent = {ROWS, COLUMNS}};
    spec.order = type % 2 ? MER_COLUMN_MAJOR : MER_ROW_MAJOR;
    spec.axis[0].halo = steps;
    spec.axis[1].halo = 2 * steps;
    return spec;
}

static int by_terms(void) {
    level u, old;
    for (enum mer_type type = MER_INT8; type <= MER_COMPLEX256; type++)
        for (int steps = 1; steps < 4; steps += 2) {
            struct mer_array_spec spec = grid(type, steps);
            struct mer_stencil_spec sums = {.terms = 4, .term = terms, .steps = steps};
            struct mer_array_info i;
            sums.face[1][0] = (struct mer_face){MER_VALUE, 3};
            sums.face[1][1].kind = MER_REFLECTING;
            mer_array *a = mer_array_create(&spec), *b = mer_array_like(a, "old");
            mer_stencil *s = mer_stencil_create(a, &sums);
            for (int x = 0; x < ROWS; x++)
                for (int y = 0; y < COLUMNS; y++)
                    u[x][y] = (x * 7 + y * 5) % 11 - (type < MER_UINT8 ? 5 : 0), old[x][y] = x - y;
            mer_array_describe(a, ME, &i);
            fill(a, &i, u);
            fill(b, &i, old);
            serial(u, old);
            mer_array *newest = mer_stencil_run(s, a, b, STEPS);
            CHECK(newest == b);
            expect(b, u);
            expect(a, old);
            mer_stencil_free(s);
            mer_array_free(a);
            mer_array_free(b);
        }
    return 0;
}

/* ---- kernels ------------------------------------------------------------------------------------------- */

#define KERNEL(name, T)                                                                                      \
    MER_STENCIL_FUNCTION(name, T, .rank = 2, .radius = {1, 2}, .old = 1) {                                   \
        return (T)(MER_AT2(-1, 0) + 3 * MER_OLD - 2 * MER_AT2(0, 2) + MER_AT2(1, -1));                       \
    }
KERNEL(of_int8, signed char)
KERNEL(of_uint64, unsigned long)
KERNEL(of_long_double, long double)
KERNEL(of_complex64, float _Complex)
#if defined(__SIZEOF_FLOAT128__) && defined(__x86_64__)
typedef _Complex float complex_quad __attribute__((mode(TC)));
KERNEL(of_quad, __float128)
KERNEL(of_complex_quad, complex_quad)
#endif
MER_STENCIL_FUNCTION(of_bool, _Bool, .rank = 2, .radius = {1, 1}) { return MER_AT2(-1, 0) != MER_AT2(0, 1); }

static const struct mer_kernel *const kernels[] = {&of_int8, &of_uint64,      &of_long_double, &of_complex64,
#if defined(__SIZEOF_FLOAT128__) && defined(__x86_64__)
                                                   &of_quad, &of_complex_quad
#endif
};

static int by_kernels(void) {
    level u, old;
    CHECK(of_bool.type == MER_UINT8);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        struct mer_array_spec spec = grid(kernels[k]->type, 2);
        struct mer_stencil_spec one = {.kernel = kernels[k]};
        struct mer_array_info i;
        one.face[1][0] = (struct mer_face){MER_VALUE, 3};
        one.face[1][1].kind = MER_REFLECTING;
        mer_array *a = mer_array_create(&spec), *b = mer_array_like(a, "old");
        mer_stencil *s = mer_stencil_create(a, &one);
        for (int x = 0; x < ROWS; x++)
            for (int y = 0; y < COLUMNS; y++)
                u[x][y] = (x * 3 + y * y) % 7, old[x][y] = x + y;
        mer_array_describe(a, ME, &i);
        fill(a, &i, u);
        fill(b, &i, old);
        serial(u, old);
        expect(mer_stencil_run(s, a, b, STEPS), u);
        mer_stencil_free(s);
        mer_array_free(a);
        mer_array_free(b);
    }
    return 0;
}

/* ---- five to seven axes -------------------------------------------------------------------------------- */

MER_STENCIL_FUNCTION(five, int, .rank = 5, .radius = {1, 1, 1, 1, 1}) {
    return MER_AT5(-1, 0, 0, 0, 1) + 2 * MER_AT5(0, 1, -1, 1, 0);
}
MER_STENCIL_FUNCTION(six, int, .rank = 6, .radius = {1, 1, 1, 1, 1, 1}) {
    return MER_AT6(-1, 0, 0, 0, 1, 0) + 2 * MER_AT6(0, 1, -1, 1, 0, -1);
}
MER_STENCIL_FUNCTION(seven, int, .rank = 7, .radius = {1, 1, 1, 1, 1, 1, 1}) {
    return MER_AT7(-1, 0, 0, 0, 1, 0, 0) + 2 * MER_AT7(0, 1, -1, 1, 0, -1, 1);
}

static int many_axes(void) {
    static const struct mer_kernel *const of_rank[] = {&five, &six, &seven};
    for (int n = 0; n < 3; n++) {
        static const long extents[] = {4, 3, 2, 3, 2, 3, 2};
        struct mer_array_spec spec = {.name = "u", .type = MER_INT32, .rank = 5 + n};
        struct mer_term same[2] = {{.coefficient = 1, .offset = {-1, 0, 0, 0, 1, 0, 0}},
                                   {.coefficient = 2, .offset = {0, 1, -1, 1, 0, n > 0 ? -1 : 0, n > 1}}};
        for (int k = 0; k < spec.rank; k++) {
            spec.extent[k] = extents[k];
            spec.axis[k].halo = 2;
        }
        mer_array *a[4];
        for (int i = 0; i < 4; i++)
            a[i] = i ? mer_array_like(a[0], NULL) : mer_array_create(&spec);
        size_t all = 1;
        for (int k = 0; k < spec.rank; k++)
            all *= (size_t)spec.extent[k];
        int *x = malloc(all * sizeof *x), *y = malloc(all * sizeof *y);
        CHECK(x && y);
        for (size_t j = 0; j < all; j++)
            x[j] = (int)(j * j % 101);
        mer_array_scatter(a[0], x, 0);
        mer_array_copy(a[2], a[0]);
        mer_stencil *kernel = mer_stencil_create(a[0], &(struct mer_stencil_spec){.kernel = of_rank[n]});
        mer_stencil *sums = mer_stencil_create(a[0], &(struct mer_stencil_spec){.terms = 2, .term = same});
        mer_array *one = mer_stencil_run(kernel, a[0], a[1], 4),
                  *other = mer_stencil_run(sums, a[2], a[3], 4);
        mer_array_gather(one, x, 0);
        mer_array_gather(other, y, 0);
        CHECK(ME != 0 || memcmp(x, y, all * sizeof *x) == 0);
        free(x);
        free(y);
        mer_stencil_free(kernel);
        mer_stencil_free(sums);
        for (int j = 0; j < 4; j++)
            mer_array_free(a[j]);
    }
    return 0;
}

/* ---- short axes ---------------------------------------------------------------------------------------- */

/* A stencil that reaches past the whole of a periodic axis, and past one between two values. */
static int short_axes(void) {
    static const struct mer_term reach[] = {{.coefficient = 1, .offset = {-3, 0, 0}},
                                            {.coefficient = 2, .offset = {0, 3, 0}},
                                            {.coefficient = 4, .offset = {0, 0, -3}}};
    for (long n = 1; n < 4; n++) {
        struct mer_array_spec spec = {.name = "thin", .type = MER_INT64, .rank = 3, .extent = {n, 2, 16}};
        struct mer_stencil_spec sums = {.terms = 3, .term = reach};
        for (int k = 0; k < 3; k++)
            spec.axis[k].halo = 6;
        sums.face[1][0] = (struct mer_face){MER_VALUE, 5};
        sums.face[1][1] = (struct mer_face){MER_VALUE, 7};
        mer_array *a = mer_array_create(&spec), *b = mer_array_like(a, "b");
        long long u[3][2][16], made[3][2][16];
        for (int x = 0; x < n; x++)
            for (int y = 0; y < 2; y++)
                for (int z = 0; z < 16; z++)
                    u[x][y][z] = x * 100 + y * 50 + z;
        mer_array_scatter(a, u, 0);
        mer_stencil *s = mer_stencil_create(a, &sums);
        mer_array_gather(mer_stencil_run(s, a, b, 4), made, 0);
        for (int step = 0; step < 4; step++) {
            long long next[3][2][16];
            for (int x = 0; x < n; x++)
                for (int y = 0; y < 2; y++)
                    for (int z = 0; z < 16; z++)
                        next[x][y][z] = u[(x + 3 * n - 3) % n][y][z] + 2 * 7 + 4 * u[x][y][(z + 13) % 16];
            memcpy(u, next, sizeof u);
        }
        CHECK(ME != 0 || memcmp(u, made, (size_t)n * sizeof *u) == 0);
        mer_stencil_free(s);
        mer_array_free(a);
        mer_array_free(b);
    }
    return 0;
}

/* ---- errors -------------------------------------------------------------------------------------------- */

static void make(enum mer_type type, double coefficient, struct mer_face face) {
    struct mer_array_spec spec = grid(type, 1);
    struct mer_term one = {.coefficient = coefficient, .offset = {-1, 0}};
    struct mer_stencil_spec sums = {.terms = 1, .term = &one, .face[1] = {face, face}};
    mer_stencil_create(mer_array_create(&spec), &sums);
}
static int half(void) {
    make(MER_INT16, 0.5, (struct mer_face){MER_PERIODIC, 0});
    return 0;
}
static int large_value(void) {
    make(MER_UINT8, 1, (struct mer_face){MER_VALUE, 256});
    return 0;
}
static int negative_value(void) {
    make(MER_UINT64, 1, (struct mer_face){MER_VALUE, -1});
    return 0;
}
static int no_value(void) {
    make(MER_INT64, 1, (struct mer_face){MER_VALUE, __builtin_nan("")});
    return 0;
}
static int absorbing(void) {
    make(MER_COMPLEX128, 1, (struct mer_face){MER_ABSORBING, 0.5});
    return 0;
}
static int mirror_too_short(void) {
    struct mer_array_spec spec = {
        .name = "u", .type = MER_FLOAT64, .rank = 1, .extent = {2}, .axis[0].halo = 3};
    struct mer_term one = {.coefficient = 1, .offset = {-3}};
    struct mer_face mirror = {MER_REFLECTING, 0};
    struct mer_stencil_spec sums = {.terms = 1, .term = &one, .face[0] = {mirror, mirror}};
    mer_stencil_create(mer_array_create(&spec), &sums);
    return 0;
}

static const struct job_body bodies[] = {{"by_terms", by_terms},
                                         {"by_kernels", by_kernels},
                                         {"many_axes", many_axes},
                                         {"short_axes", short_axes},
                                         {"half", half},
                                         {"large_value", large_value},
                                         {"negative_value", negative_value},
                                         {"no_value", no_value},
                                         {"absorbing", absorbing},
                                         {"mirror_too_short", mirror_too_short},
                                         {0}};

static void checks(void) {
    static const int counts[] = {1, 2, 3, 4, 8, 16};
    for (int i = 0; i < (JOB_SANITIZED || job_hosts > 1 ? 4 : 6); i++)
        for (int b = 0; b < 4; b++)
            job_expect_good(bodies[b].name, counts[i]);
    setenv("MERIDIAN_REMOTE", "1", 1);
    for (int b = 0; b < 4 && job_hosts == 1; b++)
        job_expect_good(bodies[b].name, 3);
    unsetenv("MERIDIAN_REMOTE");
    job_expect_message(
        "half", 2, "term 0 has the coefficient 0.5, but coefficients for arrays of int16 are whole numbers");
    job_expect_message("large_value", 2, "a face of axis 1 has the value 256, which uint8 cannot represent");
    job_expect_message("negative_value", 2,
                       "a face of axis 1 has the value -1, which uint64 cannot represent");
    job_expect_message("no_value", 2, "a face of axis 1 has the value nan, which int64 cannot represent");
    job_expect_message("absorbing", 2,
                       "a face of axis 1 is absorbing, which is for float32 and float64 only");
    job_expect_message("mirror_too_short", 2,
                       "the stencil reaches 3 elements along axis 0, which has 2: too few");
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
