/* Steps over blocks that are computed part by part, each with the elements beyond the block's ends (sweep.c),
 * against serial ones: three-dimensional arrays, periodic along all axes, so large that parts are cut along
 * the second-fastest axis, the slowest one, or both. */
#include "vectors.h"

#include "array/layout/cache.h"
#include "array/stencil/sweep.h"

#include <meridian/stencil.h>

static const struct {
    enum mer_memory_order order;
    enum mer_type type;
    long extent[3];
    int halo;
} grids[] = {
    {MER_ROW_MAJOR, MER_FLOAT64, {7, 70, 256}, 8},    {MER_ROW_MAJOR, MER_FLOAT64, {24, 64, 64}, 1},
    {MER_ROW_MAJOR, MER_FLOAT32, {6, 20, 112}, 8},    {MER_ROW_MAJOR, MER_FLOAT64, {5, 9, 77}, 3},
    {MER_COLUMN_MAJOR, MER_FLOAT64, {256, 70, 6}, 8}, {MER_COLUMN_MAJOR, MER_FLOAT64, {64, 64, 24}, 4},
    {MER_COLUMN_MAJOR, MER_FLOAT32, {80, 20, 7}, 8},
};

enum { GRIDS = sizeof grids / sizeof *grids, STEPS = 2 };

/* Neighbours along the axes; then elements at corners; then neighbours and the level before; then a whole
 * cube, whose coefficients are more than there are registers. */
static const struct mer_term near[] = {
    {.coefficient = 0.3, .offset = {-1, 0, 0}},  {.coefficient = 0.1, .offset = {0, -1, 0}},
    {.coefficient = 0.25, .offset = {0, 0, -1}}, {.coefficient = -0.7},
    {.coefficient = 0.125, .offset = {0, 0, 1}}, {.coefficient = 0.2, .offset = {0, 1, 0}},
    {.coefficient = 0.35, .offset = {1, 0, 0}}};
static const struct mer_term corners[] = {{.coefficient = 0.5, .offset = {1, 1, 1}},
                                          {.coefficient = 0.25, .offset = {-1, -1, -1}},
                                          {.coefficient = 0.125, .offset = {1, -1, 1}},
                                          {.coefficient = 0.3, .offset = {-1, 1, 0}}};
static const struct mer_term wave[] = {{.coefficient = -0.9, .old = 1},
                                       {.coefficient = 0.3, .offset = {-1, 0, 0}},
                                       {.coefficient = 0.25, .offset = {0, 0, -1}},
                                       {.coefficient = 0.2, .offset = {0, 1, 0}}};
static struct mer_term cube[28];

static const struct {
    int terms;
    const struct mer_term *term;
} sums[] = {{7, near}, {4, corners}, {4, wave}, {28, cube}};

enum { SUMS = sizeof sums / sizeof *sums };

static void make_cube(void) {
    cube[0] = (struct mer_term){.coefficient = 0.3, .old = 1};
    for (int t = 0; t < 27; t++)
        cube[t + 1] = (struct mer_term){.coefficient = 0.03 * (t % 20 - 7),
                                        .offset = {t % 3 - 1, t / 3 % 3 - 1, t / 9 - 1}};
}

static long at(const long *extent, const long *index) {
    long place = 0;
    for (int k = 0; k < 3; k++)
        place = place * extent[k] + (index[k] + extent[k]) % extent[k];
    return place;
}

static bool next(const long *extent, long *index) {
    for (int k = 2; k >= 0; k--) {
        if (++index[k] < extent[k])
            return true;
        index[k] = 0;
    }
    return false;
}

static double element(mer_array *a, const long *index, bool single) {
    void *p = mer_array_at(a, index);
    return single ? (double)*(float *)p : *(double *)p;
}

static double sum_at(int which, const long *extent, const long *index, const double *u, double old,
                     bool single) {
    double sum = 0;
    for (int t = 0; t < sums[which].terms; t++) {
        const struct mer_term *term = &sums[which].term[t];
        long from[3];
        for (int k = 0; k < 3; k++)
            from[k] = index[k] + term->offset[k];
        double value = term->old ? old : u[at(extent, from)];
        double product = single ? (double)((float)term->coefficient * (float)value)
                                : term->coefficient * value;
        double both = single ? (double)((float)sum + (float)product) : sum + product;
        sum = t ? both : product;
    }
    return sum;
}

enum how { IN_CACHES, FROM_MEMORY, BY_PLANES, BY_TILES, WAYS };

/* BY_PLANES: as for large levels, several planes at a time; this level is small, but is marked as cut.
 * BY_TILES: both steps at once, over tiles along the two slower axes. */
static mer_stencil *make(const mer_array *a, int g, int which, enum how how) {
    struct mer_stencil_spec spec = {.terms = sums[which].terms, .term = sums[which].term, .steps = 1};
    if (how == BY_TILES) {
        bool rows = grids[g].order == MER_ROW_MAJOR;
        spec.steps = STEPS;
        return mer_stencil_create_cut(a, &spec, (const long[RANK]){rows ? 3 : 0, 9, rows ? 0 : 3});
    }
    mer_stencil *s = how == BY_PLANES ? mer_stencil_create_cut(a, &spec, (const long[RANK]){0})
                                      : mer_stencil_create(a, &spec);
    s->large = how == FROM_MEMORY || how == BY_PLANES;
    bool aligned = s->g->stride[mer_geometry_axis(s->g, 2)] % 64 == 0;
    bool planes = aligned && mer_vectors() == MER_VECTORS_AVX512 && !vectors_without_code();
    CHECK(how != BY_PLANES || !s->planes == !planes);
    bool cube = sums[which].terms > MER_ROW_TERMS;
    CHECK(!s->unrolled == !(cube && mer_vectors() != MER_VECTORS_BASE));
    CHECK(!s->unrolled || !mer_unrolled_coded(s->unrolled) == vectors_without_code());
    return s;
}

/* The elements of a grid before any step and after STEPS steps, computed serially. */
struct model {
    double *first, *last;
};

static struct model model_of(int g, int which) {
    const long *extent = grids[g].extent;
    bool single = grids[g].type == MER_FLOAT32;
    long index[3] = {0};
    size_t elements = (size_t)(extent[0] * extent[1] * extent[2]);
    double *first = calloc(elements, sizeof *first), *u = calloc(elements, sizeof *u),
           *old = calloc(elements, sizeof *old);
    CHECK(first && u && old);
    unsigned state = 11;
    do
        first[at(extent, index)] = (double)(job_random(&state) % 1024) / 512 - 1;
    while (next(extent, index));
    memcpy(u, first, elements * sizeof *u);
    for (int step = 0; step < STEPS; step++) {
        do {
            long here = at(extent, index);
            old[here] = sum_at(which, extent, index, u, old[here], single);
        } while (next(extent, index));
        double *made = old;
        old = u;
        u = made;
    }
    free(old);
    return (struct model){first, u};
}

static void compare(int g, int which, enum how how, struct model model) {
    const long *extent = grids[g].extent;
    bool single = grids[g].type == MER_FLOAT32;
    long index[3] = {0};
    struct mer_array_spec spec = {.type = grids[g].type, .rank = 3, .order = grids[g].order};
    for (int k = 0; k < 3; k++) {
        spec.extent[k] = extent[k];
        spec.axis[k].halo = grids[g].halo;
    }
    mer_array *a = mer_array_create(&spec), *b = mer_array_like(a, NULL);
    bool *mine = calloc((size_t)(extent[0] * extent[1] * extent[2]), sizeof *mine);
    CHECK(mine);
    do {
        long here = at(extent, index);
        double x = model.first[here];
        mine[here] = mer_array_owner(a, index) == ME;
        if (mine[here] && single)
            *(float *)mer_array_at(a, index) = (float)x;
        else if (mine[here])
            *(double *)mer_array_at(a, index) = x;
    } while (next(extent, index));
    mer_array_fill(b, single ? (const void *)&(float){0} : (const void *)&(double){0});
    mer_stencil *s = make(a, g, which, how);
    mer_array *newest = mer_stencil_run(s, a, b, STEPS);
    do {
        long here = at(extent, index);
        CHECK(!mine[here] || element(newest, index, single) == model.last[here]);
    } while (next(extent, index));
    free(mine);
    mer_stencil_free(s);
    mer_array_free(a);
    mer_array_free(b);
}

static int parts(void) {
    vectors_begin();
    make_cube();
    for (int g = 0; g < GRIDS; g++)
        for (int which = 0; which < SUMS; which++) {
            struct model model = model_of(g, which);
            for (int how = 0; how < WAYS; how++)
                if (how != BY_TILES || grids[g].halo >= STEPS)
                    compare(g, which, (enum how)how, model);
            free(model.first);
            free(model.last);
        }
    return 0;
}

/* ---- indices ------------------------------------------------------------------------------------------- */

MER_STENCIL_FUNCTION(placed, long, .rank = 3, .radius = {1, 1, 1}) {
    return MER_AT3(1, 0, -1) - MER_AT3(-1, 1, 0) + MER_INDEX(0) + 100 * MER_INDEX(1) + 10000 * MER_INDEX(2);
}

static void serial_placed(const long *extent, const long *u, long *made) {
    long i[3] = {0};
    do {
        long a[3] = {i[0] + 1, i[1], i[2] - 1}, b[3] = {i[0] - 1, i[1] + 1, i[2]};
        made[at(extent, i)] = u[at(extent, a)] - u[at(extent, b)] + i[0] + 100 * i[1] + 10000 * i[2];
    } while (next(extent, i));
}

/* Elements that other processes, or the other end of a periodic axis, hold too are computed with their own
 * indices, even if the axis is shorter than the halo. */
static int indices(void) {
    static const long extents[][3] = {{2, 5, 9}, {1, 30, 4}, {12, 7, 40}, {3, 2, 1}};
    for (int which = 0; which < 8; which++) {
        const long *extent = extents[which / 2];
        struct mer_array_spec spec = {
            .type = MER_INT64, .rank = 3, .order = (enum mer_memory_order)(which % 2)};
        for (int k = 0; k < 3; k++) {
            spec.extent[k] = extent[k];
            spec.axis[k].halo = 3;
        }
        mer_array *a = mer_array_create(&spec), *b = mer_array_like(a, NULL);
        mer_array_fill(a, &(long){1});
        mer_stencil *s = mer_stencil_create(a, &(struct mer_stencil_spec){.kernel = &placed, .steps = 3});
        mer_array *newest = mer_stencil_run(s, a, b, 5);
        long u[2][12 * 7 * 40], index[3] = {0}, value;
        for (long i = 0; i < extent[0] * extent[1] * extent[2]; i++)
            u[0][i] = 1;
        for (int step = 0; step < 5; step++)
            serial_placed(extent, u[step % 2], u[(step + 1) % 2]);
        do {
            if (mer_array_owner(newest, index) != ME)
                continue;
            mer_array_get(newest, index, &value);
            CHECK(value == u[1][at(extent, index)]);
        } while (next(extent, index));
        mer_stencil_free(s);
        mer_array_free(a);
        mer_array_free(b);
    }
    return 0;
}

/* The distances between a load and an earlier store at which the load is held up: with an offset between
 * them, from four lines after the store to its own line, modulo 4096. */
static void check_held(void) {
    for (ptrdiff_t offset = -5000; offset <= 5000; offset += 8) {
        uint64_t held = mer_stream_held(offset);
        for (int line = 0; line < 64; line++) {
            bool is = false;
            for (ptrdiff_t d = line * 64; d < line * 64 + 64; d++)
                is = is || (d + offset + 2 * 4096 + 4 * 64) % 4096 < 5 * 64;
            const char *stored = (const char *)(uintptr_t)(64 * 1001),
                       *read = stored + line * 64 - 3 * 4096 + 40;
            CHECK(mer_stream_holds(held, read, stored) == is);
        }
    }
}

static const struct job_body bodies[] = {{"parts", parts}, {"indices", indices}, {0}};

static void checks(void) {
    check_held();
    static const int counts[] = {1, 2, 3, 4, 8};
    for (int n = 1; n < 6; n++)
        job_expect_good("indices", n);
    for (int i = 0; i < (JOB_SANITIZED || job_hosts > 1 ? 3 : 5); i++)
        if (counts[i] == 1)
            vectors_expect_good("parts", counts[i]);
        else
            job_expect_good("parts", counts[i]);
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
