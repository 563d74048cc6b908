/* Stencils whose sums may be made in any order. test_stencil.c tests with random terms that they are right
 * except for rounding. */
#include "vectors.h"

#include "array/stencil/sweep.h"
#include "host/job.h"

#include <math.h>
#include <meridian/stencil.h>

/* Makes the terms of the 27 elements of a cube; coefficient: by the number of axes along which they are
 * offset. */
static void cube(struct mer_term term[27], const double coefficient[4]) {
    for (int t = 0; t < 27; t++) {
        int axes = 0;
        term[t] = (struct mer_term){.offset = {t / 9 - 1, t / 3 % 3 - 1, t % 3 - 1}};
        for (int k = 0; k < 3; k++)
            axes += term[t].offset[k] != 0;
        term[t].coefficient = coefficient[axes];
    }
}

static mer_array *made(enum mer_type type, const long extent[3], int halo, int serial) {
    struct mer_array_spec spec = {.type = type, .rank = 3};
    for (int k = 0; k < 3; k++) {
        spec.extent[k] = extent[k];
        spec.axis[k] = (struct mer_axis){.halo = halo, .serial = serial};
    }
    return mer_array_create(&spec);
}

/* Runs steps on numbers that all threads know. Returns the whole array, on thread 0, and frees the arrays. */
static char *result_of(mer_array *a, const long extent[3], const struct mer_stencil_spec *spec, bool large,
                       size_t bytes) {
    mer_array *b = mer_array_like(a, NULL);
    struct mer_array_info info;
    unsigned state = 9;
    mer_array_describe(a, ME, &info);
    for (long i = 0; i < extent[0] * extent[1] * extent[2]; i++) {
        long index[3] = {i / extent[2] / extent[1], i / extent[2] % extent[1], i % extent[2]};
        double x = (double)(job_random(&state) % 2001) / 1000 - 1;
        if (mer_array_owner(a, index) == ME && info.type == MER_FLOAT32)
            *(float *)mer_array_at(a, index) = (float)x;
        else if (mer_array_owner(a, index) == ME)
            *(double *)mer_array_at(a, index) = x;
    }
    mer_stencil *s = mer_stencil_create(a, spec);
    CHECK(!s->reassociated == (mer_vectors() == MER_VECTORS_BASE));
    s->large = s->large || large;
    char *all = malloc(bytes);
    CHECK(all);
    mer_array_gather(mer_stencil_run(s, a, b, 5), all, 0);
    mer_stencil_free(s);
    mer_array_free(a);
    mer_array_free(b);
    return all;
}

/* Results are the same to the last bit on any number of threads, with any tiles and parts of rows. There are
 * coefficients for each of the written-out loops, and for others. */
static int same(void) {
    static const long extent[3] = {7, 9, 643};
    static const double coefficients[][4] = {{-0.7, 0.11, 0.053, 0.017}, /* three classes of rows, two sums */
                                             {-0.7, 0.06, 0.06, 0.06},   /* two and two */
                                             {0.03, 0.03, 0.03, 0.03},   /* one and one */
                                             {0, 0.11, 0.053, 0}};       /* with gaps */
    for (int c = 0; c < 4; c++)
        for (int single = 0; single < 2; single++) {
            enum mer_type type = single ? MER_FLOAT32 : MER_FLOAT64;
            size_t bytes = (size_t)(7 * 9 * 643) * (single ? 4 : 8);
            struct mer_term term[27];
            cube(term, coefficients[c]);
            struct mer_stencil_spec several = {.terms = 27, .term = term, .steps = 3, .reassociate = 1};
            struct mer_stencil_spec one = several;
            one.steps = 1;
            char *cut = result_of(made(type, extent, 3, 0), extent, &several, false, bytes);
            char *whole = result_of(made(type, extent, 3, 1), extent, &one, true, bytes);
            CHECK(ME != 0 || memcmp(cut, whole, bytes) == 0);
            free(cut);
            free(whole);
        }
    return 0;
}

/* A cube without the ends of one row: the reassociated sums take in no infinity from there. */
static int infinite(void) {
    static const long extent[3] = {5, 6, 70}, place[3] = {2, 3, 33};
    struct mer_term all[27], term[27];
    int n = 0;
    cube(all, (double[]){0.04, 0.04, 0.04, 0.04});
    for (int t = 0; t < 27; t++) {
        const int *o = all[t].offset;
        if (o[0] == 1 && o[1] == 1 && o[2] != 0)
            continue;
        term[n] = all[t];
        term[n++].coefficient = o[2] ? 0.01 : 0.04;
    }
    mer_array *a = made(MER_FLOAT64, extent, 1, 1), *b = mer_array_like(a, NULL);
    mer_array_fill(a, &(double){1});
    if (mer_array_owner(a, place) == ME)
        *(double *)mer_array_at(a, place) = INFINITY;
    struct mer_stencil_spec sums = {.terms = n, .term = term, .steps = 1, .reassociate = 1};
    mer_stencil *s = mer_stencil_create(a, &sums);
    CHECK(!s->reassociated == (mer_vectors() == MER_VECTORS_BASE));
    mer_array *newest = mer_stencil_run(s, a, b, 1);
    for (long i = 0; i < 5 * 6 * 70; i++) {
        long index[3] = {i / 70 / 6, i / 70 % 6, i % 70};
        bool reads = false;
        for (int t = 0; t < n; t++) {
            bool here = true;
            for (int k = 0; k < 3; k++)
                here = here && index[k] + term[t].offset[k] == place[k];
            reads = reads || here;
        }
        if (mer_array_owner(newest, index) == ME)
            CHECK(!isfinite(*(double *)mer_array_at(newest, index)) == reads);
    }
    mer_stencil_free(s);
    mer_array_free(a);
    mer_array_free(b);
    return 0;
}

/* Threads that differ in this option are reported. */
static int mismatched(void) {
    static const long extent[3] = {8, 8, 8};
    struct mer_term term[27];
    cube(term, (double[]){0.1, 0.1, 0.1, 0.1});
    mer_array *a = made(MER_FLOAT64, extent, 1, 0), *b = mer_array_like(a, NULL);
    mer_stencil *s = mer_stencil_create(
        a, &(struct mer_stencil_spec){.terms = 27, .term = term, .steps = 1, .reassociate = ME == 0});
    mer_stencil_run(s, a, b, 1);
    return 0;
}

static const struct job_body bodies[] = {
    {"same", same}, {"infinite", infinite}, {"mismatched", mismatched}, {0}};

static void checks(void) {
    static const int counts[] = {1, 2, 3, 8};
    for (int i = 0; i < (JOB_SANITIZED ? 3 : 4); i++)
        vectors_expect_good("same", counts[i]);
    vectors_expect_good("infinite", 2);
    job_expect_message("mismatched", 2, "mer_stencil_create");
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
