/* Stencils against a serial program: random terms, faces, shapes, layouts and numbers of threads.  The serial
 * one keeps the whole array with a margin on all sides and adds the terms in the same order, so that the
 * results have to be the same to the last bit. */
#include "random_layout.h"
#include "vectors.h"

#include "array/stencil/sweep.h"
#include "host/job.h"
#include "sync/barrier.h"

#include <float.h>
#include <math.h>
#include <meridian/stencil.h>

#define REACH 2 /* most offset; 1 in five and more dimensions, where blocks are small */

static unsigned state;
static unsigned below(unsigned n) { return job_random(&state) % n; }
static double number(void) { return (double)below(2001) / 1000 - 1; }

/* ---- the serial program -------------------------------------------------------------------------------- */

struct serial {
    int rank;
    long extent[RANK];
    int reach;       /* the margin, and the reach of stencils */
    size_t elements; /* with the margin */
    bool single;
    struct mer_face face[RANK][2];
};

static size_t at(const struct serial *s, const long *index) {
    size_t place = 0;
    for (int k = 0; k < s->rank; k++)
        place = place * (size_t)(s->extent[k] + 2 * s->reach) + (size_t)(index[k] + s->reach);
    return place;
}

/* Steps to the next index in [-margin, extent + margin) of each axis. Returns false after the last one. */
static bool next(const struct serial *s, long *index, const int *margin) {
    for (int k = s->rank - 1; k >= 0; k--) {
        if (++index[k] < s->extent[k] + margin[k])
            return true;
        index[k] = -margin[k];
    }
    return false;
}

static double rounded(const struct serial *s, double x) { return s->single ? (double)(float)x : x; }

/* The margin's element at `index', which lies `d' elements beyond a face. */
static double beyond(const struct serial *s, const double *u, const double *old, long *index, int k, int side,
                     int d) {
    const struct mer_face *f = &s->face[k][side];
    long i = index[k], n = s->extent[k], in;
    size_t here = at(s, index);
    in = f->kind == MER_PERIODIC ? (i % n + n) % n : f->kind == MER_REFLECTING ? (side ? n - d : d - 1) : i;
    if (f->kind == MER_ABSORBING)
        in = side ? i - 1 : i + 1;
    index[k] = in;
    size_t inside = at(s, index);
    index[k] = i;
    if (f->kind == MER_VALUE)
        return rounded(s, f->value);
    if (f->kind != MER_ABSORBING)
        return u[inside];
    double factor = (f->value - 1) / (f->value + 1);
    if (!s->single)
        return old[inside] + factor * (u[inside] - old[here]);
    return (float)old[inside] + (float)factor * ((float)u[inside] - (float)old[here]);
}

/* Fills the margins. With `wraps' only those of periodic axes, on all sides. */
static void margins(const struct serial *s, double *u, const double *old, bool wraps) {
    int margin[RANK] = {0};
    for (int k = 0; k < s->rank && wraps; k++)
        margin[k] = s->reach;
    for (int k = 0; k < s->rank; k++) {
        margin[k] = 0;
        if (wraps && s->face[k][0].kind != MER_PERIODIC) {
            margin[k] = s->reach;
            continue;
        }
        int flat[RANK];
        memcpy(flat, margin, sizeof flat);
        for (int side = 0; side < 2; side++)
            for (int d = 1; d <= s->reach; d++) {
                struct serial layer = *s; /* the other axes */
                long index[RANK];
                layer.extent[k] = 1;
                for (int a = 0; a < s->rank; a++)
                    index[a] = -flat[a];
                index[k] = 0;
                do {
                    long whole[RANK];
                    memcpy(whole, index, sizeof whole);
                    whole[k] = side ? s->extent[k] - 1 + d : -d;
                    double value = beyond(s, u, old, whole, k, side, d);
                    u[at(s, whole)] = value;
                } while (next(&layer, index, flat));
            }
        margin[k] = s->reach;
    }
}

static void step(const struct serial *s, const struct mer_term *term, int terms, double *u, double *old) {
    double *made = malloc(s->elements * sizeof *made);
    int none[RANK] = {0};
    long index[RANK] = {0};
    CHECK(made);
    margins(s, u, old, false);
    memcpy(made, old, s->elements * sizeof *made);
    do {
        double sum = 0;
        for (int t = 0; t < terms; t++) {
            long from[RANK];
            for (int k = 0; k < s->rank; k++)
                from[k] = index[k] + term[t].offset[k];
            double value = term[t].old ? old[at(s, index)] : u[at(s, from)];
            double product = s->single ? (double)((float)term[t].coefficient * (float)value)
                                       : term[t].coefficient * value;
            sum = t == 0 ? product : rounded(s, s->single ? (float)sum + (float)product : sum + product);
        }
        made[at(s, index)] = sum;
    } while (next(s, index, none));
    memcpy(old, made, s->elements * sizeof *made);
    free(made);
}

/* ---- random stencils ----------------------------------------------------------------------------------- */

#define TERMS 30 /* more than a pass adds */

static void random_faces(struct mer_face face[RANK][2], int rank, bool absorbing) {
    for (int k = 0; k < rank; k++)
        for (int side = 0; side < 2; side++) {
            bool periodic = side ? face[k][0].kind == MER_PERIODIC : below(2);
            face[k][side].kind = periodic ? MER_PERIODIC : (enum mer_face_kind)(1 + below(absorbing ? 3 : 2));
            face[k][side].value = 0.1 + below(10) / 10.0;
        }
}

/* The nine or 27 neighbours along the last axes, the element itself included. */
static int cube_terms(struct mer_term *term, int rank) {
    int axes = rank < 3 ? rank : 3, n = rank == 1 ? 3 : rank == 2 ? 9 : 27;
    for (int t = 0; t < n; t++)
        for (int k = 0, rest = t; k < axes; k++, rest /= 3)
            term[t].offset[rank - 1 - k] = rest % 3 - 1;
    return n;
}

static int random_terms(struct mer_term *term, int rank, int reach, bool two_levels, bool diagonal) {
    int n = 1 + (int)below(below(2) ? 8 : TERMS - 1);
    bool cube = diagonal && below(3) == 0, even = below(2);
    double often = number() / n, by_axes[4] = {number() / 2, number() / 9, number() / 9, number() / 9};
    memset(term, 0, TERMS * sizeof *term);
    if (cube)
        n = cube_terms(term, rank);
    for (int t = 0; t < n; t++) {
        term[t].coefficient = below(2) ? often : number() / n * 2;
        for (int k = 0, axes = 0; cube && even && k < rank; k++) {
            axes += term[t].offset[k] != 0;
            term[t].coefficient = by_axes[axes];
        }
        if (cube)
            continue;
        for (int k = 0; k < rank && diagonal; k++)
            term[t].offset[k] = (int)below(2 * (unsigned)reach + 1) - reach;
        if (!diagonal)
            term[t].offset[below((unsigned)rank)] = (int)below(2 * (unsigned)reach + 1) - reach;
    }
    if (two_levels)
        term[0] = (struct mer_term){.coefficient = number(), .old = 1};
    return n;
}

/* Sets a level to numbers that all threads know, in the array and in the serial program. */
static void begin_level(const struct serial *s, mer_array *a, double *serial) {
    struct mer_array_info i;
    int none[RANK] = {0};
    long index[RANK] = {0};
    mer_array_describe(a, ME, &i);
    do {
        double x = rounded(s, number());
        serial[at(s, index)] = x;
        if (mer_array_owner(a, index) == ME && s->single)
            *(float *)mer_array_at(a, index) = (float)x;
        else if (mer_array_owner(a, index) == ME)
            *(double *)mer_array_at(a, index) = x;
    } while (next(s, index, none));
}

/* bound: the largest difference of sums in another order; 0 for the terms' own order. */
static void compare(const struct serial *s, mer_array *a, const double *serial, int round, double bound) {
    int none[RANK] = {0};
    long index[RANK] = {0};
    do {
        if (mer_array_owner(a, index) != ME)
            continue;
        void *p = mer_array_at(a, index);
        double x = s->single ? *(float *)p : *(double *)p;
        double off = x - serial[at(s, index)];
        if (off >= -bound && off <= bound)
            continue;
        mer_array_print(a, stderr);
        fprintf(stderr, "thread %d, round %d: element %ld %ld %ld is %.17g, not %.17g\n", ME, round, index[0],
                index[1], index[2], x, serial[at(s, index)]);
        exit(99);
    } while (next(s, index, none));
}

/* A stencil whose steps go tile by tile, with tiles of any lengths along any axes; blocks as small as these
 * are not cut otherwise. */
static mer_stencil *cut(const mer_array *a, const struct mer_stencil_spec *spec, int rank) {
    long tile[RANK] = {0};
    for (int k = 0; k < rank; k++)
        tile[k] = below(3) ? 1 + (long)below(7) : 0;
    return mer_stencil_create_cut(a, spec, tile);
}

/* Returns the largest difference of two orders of sums after a step: the one `before' it, and the rounding of
 * each product and sum. */
static double bound_of(const struct serial *s, const struct mer_term *term, int terms, const double *u,
                       double before) {
    double weight = 0, largest = 1;
    for (int t = 0; t < terms; t++)
        weight += fabs(term[t].coefficient);
    for (size_t i = 0; i < s->elements; i++)
        largest = fabs(u[i]) > largest ? fabs(u[i]) : largest;
    weight = weight < 3 ? 3 : weight; /* the previous level, and faces, may differ as much */
    return weight * before + 8 * terms * weight * largest * (s->single ? FLT_EPSILON : DBL_EPSILON);
}

static void one(void) {
    static const int most[] = {0, 60, 20, 10, 6, 4, 3, 2};
    struct serial s = {.rank = 1 + (int)below(below(3) ? 4 : RANK), .single = below(2)};
    struct mer_term term[TERMS];
    bool two_levels = below(3) == 0, absorbing = below(3) == 0;
    s.reach = s.rank < 5 ? REACH : 1;
    int terms = random_terms(term, s.rank, s.reach, two_levels, below(2));
    int steps = absorbing ? 1 : 1 + (int)below(5);
    random_faces(s.face, s.rank, absorbing);
    struct mer_array_spec spec = {.type = s.single ? MER_FLOAT32 : MER_FLOAT64, .rank = s.rank};
    spec.order = below(2) ? MER_COLUMN_MAJOR : MER_ROW_MAJOR;
    s.elements = 1;
    for (int k = 0; k < s.rank; k++) {
        spec.extent[k] = s.extent[k] = s.reach + (int)below((unsigned)most[s.rank]);
        if (s.rank < 3 && k == (spec.order ? 0 : s.rank - 1) && below(3) == 0)
            spec.extent[k] = s.extent[k] += below(2) ? 200 : 700; /* stores past the caches; parts */
        spec.axis[k].halo = s.reach * steps + (int)below(2);
        s.elements *= (size_t)(s.extent[k] + 2 * s.reach);
    }
    random_axes(&spec, &state, THREADS);
    mer_array *other = random_align(&spec, &state, THREADS);
    mer_array *a = mer_array_create(&spec), *b = mer_array_like(a, "b");
    mer_array_free(other);
    double *u = calloc(s.elements, sizeof *u), *old = calloc(s.elements, sizeof *old);
    CHECK(u && old);
    begin_level(&s, a, u);
    begin_level(&s, b, old);
    struct mer_stencil_spec stencil = {.terms = terms, .term = term, .steps = below(2) ? steps : 0};
    stencil.reassociate = below(3) == 0;
    double bound = 0;
    memcpy(stencil.face, s.face, sizeof s.face);
    mer_stencil *st = below(2) ? cut(a, &stencil, s.rank) : mer_stencil_create(a, &stencil);
    st->large = below(2); /* as if the blocks were */
    for (int round = 0; round < 3; round++) {
        long n = (long)below(8);
        mer_array *newest = mer_stencil_run(st, a, b, n);
        if (newest == b) {
            b = a;
            a = newest;
        }
        margins(&s, old, u, true);
        for (long i = 0; i < n; i++) {
            step(&s, term, terms, u, old);
            double *made = old;
            old = u;
            u = made;
            bound = bound_of(&s, term, terms, u, bound);
        }
        compare(&s, a, u, round, stencil.reassociate ? bound : 0);
    }
    mer_stencil_free(st);
    mer_array_free(a);
    mer_array_free(b);
    free(u);
    free(old);
}

static int random_stencils(void) {
    vectors_begin();
    const char *cases = getenv("CASES"), *seed = getenv("SEED");
    state = (seed ? (unsigned)atoi(seed) : 0) * 7919 + 17 + (unsigned)THREADS * 131;
    for (int c = cases ? atoi(cases) : 25; c > 0; c--)
        one();
    return 0;
}

/* ---- a function instead of terms ----------------------------------------------------------------------- */

MER_STENCIL(blur, double, 0.5 * MER_AT2(0, 0) + 0.25 * MER_AT2(-1, 1) + 0.25 * MER_AT2(1, -1))

static int function(void) {
    struct mer_array_spec spec = {
        .type = MER_FLOAT64, .rank = 2, .extent = {19, 23}, .axis[0].halo = 1, .axis[1].halo = 1};
    mer_array *a = mer_array_create(&spec), *b = mer_array_like(a, NULL);
    mer_array *c = mer_array_like(a, NULL), *d = mer_array_like(a, NULL);
    struct serial s = {.rank = 2, .reach = REACH, .extent = {19, 23}, .elements = 23 * 27};
    double *u = calloc(s.elements, sizeof *u);
    state = 3;
    begin_level(&s, a, u);
    mer_array_copy(c, a);
    struct mer_term term[] = {{0.5, {0, 0}, 0}, {0.25, {-1, 1}, 0}, {0.25, {1, -1}, 0}};
    mer_stencil *table = mer_stencil_create(a, &(struct mer_stencil_spec){.terms = 3, .term = term});
    mer_stencil *rows = mer_stencil_create(a, &(struct mer_stencil_spec){.rows = blur, .radius = {1, 1}});
    CHECK(mer_stencil_run(table, a, b, 7) == b);
    CHECK(mer_stencil_run(rows, c, d, 7) == d);
    struct mer_array_info x, y;
    mer_array_describe(b, ME, &x);
    mer_array_describe(d, ME, &y);
    for (long i = 0; i < x.count[0]; i++)
        CHECK(memcmp((char *)x.local + i * x.stride[0], (char *)y.local + i * y.stride[0],
                     (size_t)x.count[1] * sizeof(double)) == 0);
    mer_stencil_free(table);
    mer_stencil_free(rows);
    mer_array *const all[] = {a, b, c, d};
    for (int i = 0; i < 4; i++)
        mer_array_free(all[i]);
    free(u);
    return 0;
}

/* Functions for one element against the same sums, with one step and several steps for an exchange. */
MER_STENCIL_FUNCTION(line, float, .rank = 1, .radius = {2}) {
    float sum = 0.5f * MER_AT1(-2);
    return sum + 0.25f * MER_AT1(1);
}
MER_STENCIL_FUNCTION(wave, double, .rank = 2, .radius = {1, 1}, .old = 1) {
    double sum = -1.0 * MER_OLD + 0.5 * MER_AT2(0, 0);
    return sum + 0.25 * MER_AT2(1, -1);
}
MER_STENCIL_FUNCTION(box, double, .rank = 3, .radius = {1, 0, 2}) {
    return 0.5 * MER_AT3(-1, 0, 2) + 0.5 * MER_AT3(1, 0, -2);
}
MER_STENCIL_FUNCTION(deep, double, .rank = 4, .radius = {1, 1, 1, 1}) {
    return 0.5 * MER_AT4(-1, 1, 0, 1) + 0.25 * MER_AT4(1, 0, -1, 0);
}

static const struct {
    const struct mer_kernel *kernel;
    int terms;
    struct mer_term term[3];
} kernels[] = {{&line, 2, {{0.5, {-2}, 0}, {0.25, {1}, 0}}},
               {&wave, 3, {{-1, {0}, 1}, {0.5, {0, 0}, 0}, {0.25, {1, -1}, 0}}},
               {&box, 2, {{0.5, {-1, 0, 2}, 0}, {0.5, {1, 0, -2}, 0}}},
               {&deep, 2, {{0.5, {-1, 1, 0, 1}, 0}, {0.25, {1, 0, -1, 0}, 0}}}};

static void kernel_and_terms(int which, int steps, bool tiles) {
    const struct mer_kernel *kernel = kernels[which].kernel;
    struct mer_array_spec spec = {.type = kernel->type, .rank = kernel->rank, .order = below(2)};
    struct mer_stencil_spec sums = {.terms = kernels[which].terms, .term = kernels[which].term};
    struct mer_array_info x, y;
    mer_array *a[4];
    for (int k = 0; k < spec.rank; k++) {
        spec.extent[k] = 9 + k;
        spec.axis[k].halo = kernel->radius[k] * steps;
    }
    random_faces(sums.face, spec.rank, false);
    sums.steps = steps;
    for (int i = 0; i < 4; i++)
        a[i] = i ? mer_array_like(a[0], NULL) : mer_array_create(&spec);
    struct serial s = {
        .rank = spec.rank, .reach = REACH, .single = kernel->type == MER_FLOAT32, .elements = 1};
    for (int k = 0; k < spec.rank; k++) {
        s.extent[k] = spec.extent[k];
        s.elements *= (size_t)(s.extent[k] + 2 * s.reach);
    }
    double *u = calloc(s.elements, sizeof *u);
    begin_level(&s, a[0], u);
    begin_level(&s, a[1], u);
    mer_array_copy(a[2], a[0]);
    mer_array_copy(a[3], a[1]);
    mer_stencil *table = mer_stencil_create(a[0], &sums);
    sums.terms = 0;
    sums.kernel = kernel;
    mer_stencil *function = tiles ? cut(a[0], &sums, spec.rank) : mer_stencil_create(a[0], &sums);
    CHECK(mer_stencil_steps(function) == steps);
    function->large = true;
    mer_array *p = mer_stencil_run(table, a[0], a[1], 7), *q = mer_stencil_run(function, a[2], a[3], 7);
    unsigned char *all[2] = {malloc(s.elements * 8), malloc(s.elements * 8)};
    mer_array_gather(p, all[0], 0);
    mer_array_gather(q, all[1], 0);
    mer_array_describe(p, ME, &x);
    mer_array_describe(q, ME, &y);
    size_t bytes = x.size;
    for (int k = 0; k < spec.rank; k++)
        bytes *= (size_t)spec.extent[k];
    CHECK(ME != 0 || memcmp(all[0], all[1], bytes) == 0);
    mer_stencil_free(table);
    mer_stencil_free(function);
    for (int i = 0; i < 4; i++)
        mer_array_free(a[i]);
    free(all[0]);
    free(all[1]);
    free(u);
}

static int kernel(void) {
    state = 5;
    for (int which = 0; which < 4; which++)
        for (int steps = 1; steps <= 4; steps += 3)
            for (int cut = 0; cut < 2; cut++)
                kernel_and_terms(which, steps, cut);
    return 0;
}

MER_STENCIL_FUNCTION(both, double, .rank = 2, .radius = {2, 2}) { return MER_AT2(2, -2); }

/* The index of an element, and the program's own pointer. */
MER_STENCIL_FUNCTION(where, long, .rank = 3, .radius = {0, 0, 0}) {
    return *(const long *)MER_CONTEXT + (MER_INDEX(0) * 100 + MER_INDEX(1)) * 100 + MER_INDEX(2);
}

static int kernel_index(void) {
    long more = 7, index[3], value;
    for (int order = 0; order < 2; order++) {
        struct mer_array_spec spec = {
            .type = MER_INT64, .rank = 3, .extent = {6, 7, 8}, .order = (enum mer_memory_order)order};
        mer_array *a = mer_array_create(&spec), *b = mer_array_like(a, NULL);
        mer_stencil *s = mer_stencil_create(a,
                                            &(struct mer_stencil_spec){.kernel = &where, .context = &more});
        mer_stencil_run(s, a, b, 1);
        for (index[0] = 0; index[0] < 6; index[0]++)
            for (index[1] = 0; index[1] < 7; index[1]++)
                for (index[2] = 0; index[2] < 8; index[2]++)
                    if (mer_array_owner(b, index) == ME) {
                        mer_array_get(b, index, &value);
                        CHECK(value == 7 + (index[0] * 100 + index[1]) * 100 + index[2]);
                    }
        mer_stencil_free(s);
        mer_array_free(a);
        mer_array_free(b);
    }
    return 0;
}

/* The halo against the serial program's margin. */
static int fetch(void) {
    struct serial s = {.rank = 2, .reach = REACH, .extent = {11, 14}, .elements = 15 * 18};
    struct mer_array_spec spec = {.type = MER_FLOAT64, .rank = 2, .extent = {11, 14}};
    spec.axis[0].halo = spec.axis[1].halo = 2;
    double *u = calloc(s.elements, sizeof *u);
    state = 21;
    for (int round = 0; round < 8; round++) {
        random_faces(s.face, 2, false);
        struct mer_stencil_spec wide = {.kernel = &both, .steps = 1};
        memcpy(wide.face, s.face, sizeof wide.face);
        mer_array *a = mer_array_create(&spec);
        mer_stencil *st = mer_stencil_create(a, &wide);
        struct mer_array_info i;
        begin_level(&s, a, u);
        margins(&s, u, u, true);
        margins(&s, u, u, false);
        (round % 2 ? mer_stencil_fetch_start : mer_stencil_fetch)(st, a);
        if (round % 2)
            mer_stencil_fetch_finish(st);
        mer_array_describe(a, ME, &i);
        for (long x = -2; x < i.count[0] + 2 && i.count[0] && i.count[1]; x++)
            for (long y = -2; y < i.count[1] + 2; y++) {
                long index[2] = {i.first[0] + x, i.first[1] + y};
                double value = *(double *)((char *)i.local + x * i.stride[0] + y * i.stride[1]);
                CHECK(value == u[at(&s, index)]);
            }
        mer_stencil_free(st);
        mer_array_free(a);
    }
    free(u);
    return 0;
}

/* A block that is cut because of its size. */
static int large(void) {
    struct mer_array_spec spec = {.type = MER_FLOAT64, .rank = 2, .extent = {700, 1500}};
    spec.axis[0].halo = spec.axis[1].halo = 6;
    mer_array *a[4];
    struct mer_term five[] = {
        {0.2, {0, 0}, 0}, {0.2, {-1, 0}, 0}, {0.2, {1, 0}, 0}, {0.2, {0, -1}, 0}, {0.2, {0, 1}, 0}};
    struct mer_stencil_spec one = {.terms = 5, .term = five, .steps = 1}, six = one;
    six.steps = 6;
    for (int k = 0; k < 2; k++)
        for (int side = 0; side < 2; side++)
            one.face[k][side] = six.face[k][side] = (struct mer_face){side ? MER_VALUE : MER_REFLECTING, 2};
    for (int i = 0; i < 4; i++)
        a[i] = i ? mer_array_like(a[0], NULL) : mer_array_create(&spec);
    struct mer_array_info x, y;
    mer_array_describe(a[0], ME, &x);
    mer_array_describe(a[2], ME, &y);
    for (long i = 0; i < x.count[0]; i++)
        for (long j = 0; j < x.count[1]; j++) {
            double v = (double)((x.first[0] + i) * 7919 % 101) + (double)((x.first[1] + j) * 31 % 17);
            *(double *)((char *)x.local + i * x.stride[0] + j * x.stride[1]) = v;
            *(double *)((char *)y.local + i * y.stride[0] + j * y.stride[1]) = v;
        }
    mer_stencil *s = mer_stencil_create(a[0], &one), *t = mer_stencil_create(a[0], &six);
    mer_array_describe(mer_stencil_run(s, a[0], a[1], 9), ME, &x);
    mer_array_describe(mer_stencil_run(t, a[2], a[3], 9), ME, &y);
    for (long i = 0; i < x.count[0]; i++)
        CHECK(memcmp((char *)x.local + i * x.stride[0], (char *)y.local + i * y.stride[0],
                     (size_t)x.count[1] * sizeof(double)) == 0);
    mer_stencil_free(s);
    mer_stencil_free(t);
    for (int i = 0; i < 4; i++)
        mer_array_free(a[i]);
    return 0;
}

/* ---- errors -------------------------------------------------------------------------------------------- */

static mer_array *grid(enum mer_type type, int halo) {
    return mer_array_create(&(struct mer_array_spec){
        .name = "u", .type = type, .rank = 2, .extent = {9, 9}, .axis = {{.halo = halo}, {.halo = halo}}});
}
static const struct mer_term left = {.coefficient = 1, .offset = {-1, 0}};

static int narrow_halo(void) {
    mer_stencil_create(grid(MER_FLOAT64, 0), &(struct mer_stencil_spec){.terms = 1, .term = &left});
    return 0;
}
static int half_periodic(void) {
    struct mer_stencil_spec spec = {.terms = 1, .term = &left};
    spec.face[0][1].kind = MER_VALUE;
    mer_stencil_create(grid(MER_FLOAT64, 1), &spec);
    return 0;
}
static int other_type(void) {
    mer_stencil_create(grid(MER_FLOAT32, 1), &(struct mer_stencil_spec){.kernel = &wave});
    return 0;
}
static int other_rank(void) {
    mer_stencil_create(grid(MER_FLOAT64, 1), &(struct mer_stencil_spec){.kernel = &box});
    return 0;
}
static int too_many_steps(void) {
    mer_stencil_create(grid(MER_FLOAT64, 2), &(struct mer_stencil_spec){.kernel = &wave, .steps = 3});
    return 0;
}
static int other_layout(void) {
    mer_stencil *s = mer_stencil_create(grid(MER_FLOAT64, 1),
                                        &(struct mer_stencil_spec){.terms = 1, .term = &left});
    mer_stencil_run(s, grid(MER_FLOAT64, 2), grid(MER_FLOAT64, 2), 1);
    return 0;
}

static const struct job_body bodies[] = {{"random_stencils", random_stencils},
                                         {"function", function},
                                         {"kernel", kernel},
                                         {"kernel_index", kernel_index},
                                         {"large", large},
                                         {"fetch", fetch},
                                         {"other_type", other_type},
                                         {"other_rank", other_rank},
                                         {"too_many_steps", too_many_steps},
                                         {"narrow_halo", narrow_halo},
                                         {"half_periodic", half_periodic},
                                         {"other_layout", other_layout},
                                         {0}};

static void checks(void) {
    static const int counts[] = {1, 2, 3, 4, 6, 8, 16};
    for (int i = 0; i < (JOB_SANITIZED || job_hosts > 1 ? 4 : 7); i++) {
        if (counts[i] < 4)
            vectors_expect_good("random_stencils", counts[i]);
        else
            job_expect_good("random_stencils", counts[i]);
        job_expect_good("function", counts[i]);
        job_expect_good("kernel", counts[i]);
        job_expect_good("kernel_index", counts[i]);
        job_expect_good("fetch", counts[i]);
    }
    job_expect_good("large", 1);
    job_expect_good("large", 3);
    job_expect_message("narrow_halo", 2,
                       "the stencil reaches 1 elements along axis 0, but the arrays' halo is 0");
    job_expect_message("other_type", 2, "the kernel `wave' is for float64, the array is of float32");
    job_expect_message("other_rank", 2, "the kernel `box' is for arrays of rank 3, the array has rank 2");
    job_expect_message("too_many_steps", 2, "3 steps between exchanges, but the halo is wide enough for 2");
    job_expect_message("half_periodic", 2, "one face of axis 0 is periodic, the other one is not");
    job_expect_message("other_layout", 2,
                       "`u' differs from the stencil's prototype in halo (2 and 1 elements along axis 0)");
    setenv("MERIDIAN_REMOTE", "1", 1);
    setenv("CASES", "8", 1);
    for (int n = 2; n <= 4 && job_hosts == 1; n++) {
        job_expect_good("random_stencils", n);
        job_expect_good("kernel", n);
    }
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
