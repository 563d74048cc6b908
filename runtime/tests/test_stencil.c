/* Stencils against a serial program: random terms, faces, shapes, layouts and numbers of threads.  The serial
 * one keeps the whole array with a margin on all sides and adds the terms in the same order, so that the
 * results have to be the same to the last bit. */
#include "job.h"

#include "host/job.h"
#include "sync/barrier.h"

#include <meridian/stencil.h>

#define ME mer_job.mythread
#define THREADS mer_job.threads
#define RANK MER_ARRAY_RANK
#define REACH 2

static unsigned state;
static unsigned below(unsigned n) { return job_random(&state) % n; }
static double number(void) { return (double)below(2001) / 1000 - 1; }

/* ---- the serial program -------------------------------------------------------------------------------- */

struct serial {
    int rank;
    long extent[RANK];
    size_t elements; /* with the margin */
    bool single;
    struct mer_face face[RANK][2];
};

static size_t at(const struct serial *s, const long *index) {
    size_t place = 0;
    for (int k = 0; k < s->rank; k++)
        place = place * (size_t)(s->extent[k] + 2 * REACH) + (size_t)(index[k] + REACH);
    return place;
}

/* Next index in [-low, extent + high) of each axis; false: that was the last one. */
static bool next(const struct serial *s, long *index, const int *margin) {
    for (int k = s->rank - 1; k >= 0; k--) {
        if (++index[k] < s->extent[k] + margin[k])
            return true;
        index[k] = -margin[k];
    }
    return false;
}

static double rounded(const struct serial *s, double x) { return s->single ? (double)(float)x : x; }

/* The margin at element i beyond a face, which stands `d' beyond it. */
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

/* wraps: of periodic axes alone, all around. */
static void margins(const struct serial *s, double *u, const double *old, bool wraps) {
    int margin[RANK] = {0};
    for (int k = 0; k < s->rank && wraps; k++)
        margin[k] = REACH;
    for (int k = 0; k < s->rank; k++) {
        margin[k] = 0;
        if (wraps && s->face[k][0].kind != MER_PERIODIC) {
            margin[k] = REACH;
            continue;
        }
        int flat[RANK];
        memcpy(flat, margin, sizeof flat);
        for (int side = 0; side < 2; side++)
            for (int d = 1; d <= REACH; d++) {
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
        margin[k] = REACH;
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

static int random_terms(struct mer_term *term, int rank, bool two_levels, bool diagonal) {
    int n = 1 + (int)below(below(2) ? 8 : TERMS - 1);
    memset(term, 0, TERMS * sizeof *term);
    for (int t = 0; t < n; t++) {
        term[t].coefficient = number() / n * 2;
        for (int k = 0; k < rank && diagonal; k++)
            term[t].offset[k] = (int)below(2 * REACH + 1) - REACH;
        if (!diagonal)
            term[t].offset[below((unsigned)rank)] = (int)below(2 * REACH + 1) - REACH;
    }
    if (two_levels)
        term[0] = (struct mer_term){.coefficient = number(), .old = 1};
    return n;
}

/* Set a level to numbers that all threads know, in the array and in the serial program's. */
static void begin(const struct serial *s, mer_array *a, double *serial) {
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

static void compare(const struct serial *s, mer_array *a, const double *serial, int round) {
    int none[RANK] = {0};
    long index[RANK] = {0};
    do {
        if (mer_array_owner(a, index) != ME)
            continue;
        void *p = mer_array_at(a, index);
        double x = s->single ? *(float *)p : *(double *)p;
        if (x == serial[at(s, index)])
            continue;
        mer_array_print(a, stderr);
        fprintf(stderr, "thread %d, round %d: element %ld %ld %ld is %.17g, not %.17g\n", ME, round, index[0],
                index[1], index[2], x, serial[at(s, index)]);
        exit(99);
    } while (next(s, index, none));
}

static void one(void) {
    static const int most[] = {0, 60, 20, 10, 6};
    struct serial s = {.rank = 1 + (int)below(4), .single = below(2)};
    struct mer_term term[TERMS];
    bool two_levels = below(3) == 0, absorbing = below(3) == 0;
    int terms = random_terms(term, s.rank, two_levels, below(2));
    int steps = two_levels || absorbing ? 1 : 1 + (int)below(3);
    random_faces(s.face, s.rank, absorbing);
    struct mer_array_spec spec = {.type = s.single ? MER_FLOAT32 : MER_FLOAT64, .rank = s.rank};
    spec.order = below(2) ? MER_COLUMN_MAJOR : MER_ROW_MAJOR;
    s.elements = 1;
    for (int k = 0; k < s.rank; k++) {
        spec.extent[k] = s.extent[k] = REACH + (int)below((unsigned)most[s.rank]);
        spec.axis[k].halo = REACH * steps + (int)below(2);
        spec.axis[k].order = below(2) ? MER_SEND : MER_NEWS;
        s.elements *= (size_t)(s.extent[k] + 2 * REACH);
    }
    mer_array *a = mer_array_create(&spec), *b = mer_array_like(a, "b");
    double *u = calloc(s.elements, sizeof *u), *old = calloc(s.elements, sizeof *old);
    CHECK(u && old);
    begin(&s, a, u);
    begin(&s, b, old);
    struct mer_stencil_spec stencil = {.terms = terms, .term = term, .steps = below(2) ? steps : 0};
    memcpy(stencil.face, s.face, sizeof s.face);
    mer_stencil *st = mer_stencil_create(a, &stencil);
    for (int round = 0; round < 3; round++) {
        long n = (long)below(5);
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
        }
        compare(&s, a, u, round);
    }
    mer_stencil_free(st);
    mer_array_free(a);
    mer_array_free(b);
    free(u);
    free(old);
}

static int random_stencils(void) {
    state = 17 + (unsigned)THREADS * 131;
    const char *cases = getenv("CASES");
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
    struct serial s = {.rank = 2, .extent = {19, 23}, .elements = 23 * 27};
    double *u = calloc(s.elements, sizeof *u);
    state = 3;
    begin(&s, a, u);
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

/* ---- what cannot be right ------------------------------------------------------------------------------ */

static mer_array *grid(enum mer_type type, int halo) {
    return mer_array_create(&(struct mer_array_spec){
        .name = "u", .type = type, .rank = 2, .extent = {9, 9}, .axis = {{.halo = halo}, {.halo = halo}}});
}
static const struct mer_term left = {.coefficient = 1, .offset = {-1, 0}};

static int narrow_halo(void) {
    mer_stencil_create(grid(MER_FLOAT64, 0), &(struct mer_stencil_spec){.terms = 1, .term = &left});
    return 0;
}
static int wrong_type(void) {
    mer_stencil_create(grid(MER_INT32, 1), &(struct mer_stencil_spec){.terms = 1, .term = &left});
    return 0;
}
static int half_periodic(void) {
    struct mer_stencil_spec spec = {.terms = 1, .term = &left};
    spec.face[0][1].kind = MER_VALUE;
    mer_stencil_create(grid(MER_FLOAT64, 1), &spec);
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
                                         {"narrow_halo", narrow_halo},
                                         {"wrong_type", wrong_type},
                                         {"half_periodic", half_periodic},
                                         {"other_layout", other_layout},
                                         {0}};

static void checks(void) {
    static const int counts[] = {1, 2, 3, 4, 6, 8, 16};
    for (int i = 0; i < (JOB_SANITIZED || job_hosts > 1 ? 4 : 7); i++) {
        job_expect_good("random_stencils", counts[i]);
        job_expect_good("function", counts[i]);
    }
    job_expect_message("narrow_halo", 2,
                       "the stencil reaches 1 elements along axis 0, but the arrays' halo is 0");
    job_expect_message("wrong_type", 2, "a stencil of terms is for float32 and float64, not for int32");
    job_expect_message("half_periodic", 2, "one face of axis 0 is periodic, the other one is not");
    job_expect_message("other_layout", 2,
                       "the arrays have not the type, shape and layout of the stencil's prototype");
    setenv("MERIDIAN_REMOTE", "1", 1);
    setenv("CASES", "8", 1);
    for (int n = 2; n <= 4 && job_hosts == 1; n++)
        job_expect_good("random_stencils", n);
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
