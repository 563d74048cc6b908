/* Distributed arrays and their shifts against the definitions of Fortran's CSHIFT and EOSHIFT for each
 * element: random types, shapes, layouts, distances and numbers of threads; with all threads on one host,
 * each on a host of its own, and over hosts that send packets. */
#include "random_layout.h"

#include "array/move/copy_table.h"
#include "array/layout/type.h"
#include "heap/heap.h"
#include "host/job.h"
#include "sync/barrier.h"

#include <limits.h>
#include <meridian/array.h>
#include <errno.h>
#include <unistd.h>

#define ME mer_job.mythread
#define THREADS mer_job.threads
#define RANK MER_ARRAY_RANK

static unsigned state; /* of the random numbers, the same on all threads */
static unsigned below(unsigned n) { return job_random(&state) % n; }

/* ---- elements ------------------------------------------------------------------------------------------ */

/* The bytes of the element of array `seed' at an index. */
static void element(unsigned char *bytes, size_t size, unsigned seed, int rank, const long *index) {
    unsigned h = seed * 2654435761U + 12345;
    for (int k = 0; k < rank; k++)
        h = (h ^ (unsigned)index[k]) * 2246822519U + 374761393U;
    for (size_t i = 0; i < size; i++) {
        h ^= h >> 15;
        h *= 2654435761U;
        bytes[i] = (unsigned char)(h >> 24);
    }
}

/* A walk through the elements of this thread's part; `next' returns true while there is one. */
struct walk {
    struct mer_array_info info;
    long index[RANK];
    bool begun;
};
static bool next(struct walk *w) {
    struct mer_array_info *i = &w->info;
    if (!w->begun) {
        w->begun = true;
        for (int k = 0; k < i->rank; k++) {
            w->index[k] = i->first[k];
            if (i->count[k] == 0)
                return false;
        }
        return true;
    }
    for (int k = 0; k < i->rank; k++) {
        if (++w->index[k] < i->first[k] + i->count[k])
            return true;
        w->index[k] = i->first[k];
    }
    return false;
}
static unsigned char *here(const struct walk *w) {
    unsigned char *at = w->info.local;
    for (int k = 0; k < w->info.rank; k++)
        at += (w->index[k] - w->info.first[k]) * w->info.stride[k];
    return at;
}
static struct walk walk(const mer_array *a) {
    struct walk w = {.begun = false};
    mer_array_describe(a, ME, &w.info);
    return w;
}

static void fill(mer_array *a, unsigned seed) {
    struct walk w = walk(a);
    while (next(&w))
        element(here(&w), w.info.size, seed, w.info.rank, w.index);
}

/* ---- random arrays ------------------------------------------------------------------------------------- */

static struct mer_array_spec random_spec(int rank) {
    static const int most[RANK] = {40, 12, 9, 6, 4, 3, 3};
    struct mer_array_spec spec = {.rank = rank, .type = (enum mer_type)(MER_INT8 + below(MER_COMPLEX256))};
    spec.order = below(2) ? MER_COLUMN_MAJOR : MER_ROW_MAJOR;
    for (int k = 0; k < rank; k++) {
        spec.extent[k] = 1 + below((unsigned)most[rank - 1] + (rank == 1 ? 60 : 0));
        spec.axis[k].halo = below(4) ? 0 : (int)below(3);
    }
    random_axes(&spec, &state, THREADS);
    return spec;
}

/* ---- shifts -------------------------------------------------------------------------------------------- */

struct one {
    struct mer_shift shift;
    mer_array *to, *from, *boundary;
    unsigned seed, boundary_seed;
    unsigned char scalar[32];
};

static void expected(unsigned char *bytes, const struct one *o, const struct mer_array_info *info,
                     const long *index) {
    long source[RANK];
    int k = o->shift.axis;
    memcpy(source, index, sizeof source);
    long d = o->shift.distance, n = info->extent[k];
    source[k] += o->shift.kind == MER_CSHIFT ? d % n : d > n ? n : d < -n ? -n : d;
    if (o->shift.kind == MER_CSHIFT)
        source[k] = (source[k] % info->extent[k] + info->extent[k]) % info->extent[k];
    if (source[k] >= 0 && source[k] < info->extent[k]) {
        element(bytes, info->size, o->seed, info->rank, source);
        return;
    }
    memset(bytes, 0, info->size);
    if (o->shift.kind == MER_EOSHIFT_1)
        mer_type_value(info->type, 1, bytes);
    if (o->shift.kind == MER_EOSHIFT_SCALAR)
        memcpy(bytes, o->scalar, info->size);
    if (o->shift.kind == MER_EOSHIFT_ARRAY) {
        for (int a = k; a + 1 < info->rank; a++)
            source[a] = source[a + 1];
        element(bytes, info->size, o->boundary_seed, info->rank - 1, source);
    }
}

static void check(const struct one *o) {
    struct walk w = walk(o->to);
    unsigned char bytes[32];
    while (next(&w)) {
        expected(bytes, o, &w.info, w.index);
        if (memcmp(bytes, here(&w), w.info.size) == 0)
            continue;
        mer_array_print(o->to, stderr);
        fprintf(stderr, "thread %d: kind %d along axis %d by %ld: element %ld %ld is wrong\n", ME,
                (int)o->shift.kind, o->shift.axis, o->shift.distance, w.index[0], w.index[1]);
        exit(99);
    }
}

/* A random shift of arrays like `a'; boundary arrays have a layout of their own. */
static void random_shift(struct one *o, const mer_array *a) {
    struct mer_array_info info;
    mer_array_describe(a, ME, &info);
    int k = (int)below((unsigned)info.rank);
    memset(o, 0, sizeof *o);
    o->shift.axis = k;
    o->shift.kind = (enum mer_shift_kind)below(info.rank > 1 ? 5 : 4);
    o->shift.distance = (long)below(5) - 2;
    if (below(3) == 0)
        o->shift.distance = (long)below(4 * (unsigned)info.extent[k] + 1) - 2 * info.extent[k];
    if (below(12) == 0)
        o->shift.distance = below(2) ? LONG_MAX : LONG_MIN;
    o->seed = job_random(&state);
    for (size_t i = 0; i < sizeof o->scalar; i++)
        o->scalar[i] = (unsigned char)job_random(&state);
    o->to = mer_array_like(a, "to");
    o->from = mer_array_like(a, "from");
    fill(o->from, o->seed);
    if (o->shift.kind != MER_EOSHIFT_ARRAY)
        return;
    struct mer_array_spec spec = random_spec(info.rank - 1);
    spec.name = "boundary";
    spec.type = info.type;
    for (int b = 0; b < spec.rank; b++)
        spec.extent[b] = info.extent[b < k ? b : b + 1];
    random_axes(&spec, &state, THREADS);
    o->boundary_seed = job_random(&state);
    o->shift.boundary = o->boundary = mer_array_create(&spec);
    fill(o->boundary, o->boundary_seed);
}

static union mer_boundary boundary_of(const struct one *o) {
    union mer_boundary b = {.scalar = o->scalar};
    if (o->boundary)
        b.array = o->boundary;
    return b;
}

static void shift_alone(struct one *o, bool in_place) {
    mer_array *to = in_place ? o->from : o->to;
    if (o->shift.kind == MER_CSHIFT)
        mer_cshift(to, o->from, o->shift.distance, o->shift.axis);
    else
        mer_eoshift(to, o->from, o->shift.distance, o->shift.kind, boundary_of(o), o->shift.axis);
    struct one done = *o;
    done.to = to;
    check(&done);
}

static void drop(struct one *o) {
    mer_array_free(o->to);
    mer_array_free(o->from);
    mer_array_free(o->boundary);
}

#define MOST 9

/* Many shifts at a time; the source of one may be the result of another. */
static void shifts_together(const mer_array *a) {
    struct one one[MOST];
    struct mer_shift shift[MOST];
    mer_array *to[MOST];
    const mer_array *from[MOST];
    union mer_boundary boundary[MOST];
    int n = 1 + (int)below(MOST);
    for (int i = 0; i < n; i++) {
        random_shift(&one[i], a);
        shift[i] = one[i].shift;
    }
    int id = mer_pshift_setup(a, n, shift);
    for (int round = 0; round < 4; round++) {
        struct one as_run[MOST];
        for (int i = 0; i < n; i++) {
            as_run[i] = one[i];
            int source = below(3) ? i : (int)below((unsigned)n);
            as_run[i].from = one[source].from;
            as_run[i].seed = one[source].seed;
            if (below(4) == 0)
                as_run[i].to = one[i].from;
            to[i] = as_run[i].to;
            from[i] = as_run[i].from;
            boundary[i] = boundary_of(&one[i]);
        }
        if (round % 2) {
            mer_pshift_start(id, to, from, boundary);
            unsigned mine = state + (unsigned)ME;
            job_delay(&mine, 3000);
            mer_pshift_finish(id);
        } else {
            mer_pshift(id, to, from, boundary);
        }
        for (int i = 0; i < n; i++)
            check(&as_run[i]);
        for (int i = 0; i < n; i++)
            fill(one[i].from, one[i].seed);
    }
    mer_pshift_free(id);
    for (int i = 0; i < n; i++)
        drop(&one[i]);
}

static int shifts(void) {
    const char *cases = getenv("CASES"), *seed = getenv("SEED");
    state = (seed ? (unsigned)atoi(seed) : 1) * 7919 + (unsigned)THREADS;
    for (int c = cases ? atoi(cases) : 12; c > 0; c--) {
        struct mer_array_spec spec = random_spec(1 + (int)below(below(2) ? 3 : RANK));
        mer_array *other = random_align(&spec, &state, THREADS), *a = mer_array_create(&spec);
        mer_array_free(other);
        for (int i = 0; i < 3; i++) {
            struct one o;
            random_shift(&o, a);
            shift_alone(&o, false);
            shift_alone(&o, true);
            drop(&o);
        }
        shifts_together(a);
        mer_array_free(a);
    }
    return 0;
}

/* Parts of several kilobytes, which many shifts share in turn. Except in one array nothing lies between their
 * elements, so that copies go beyond their pieces. */
static int large(void) {
    static const long extent[][RANK] = {{30011}, {211, 173}, {64, 48, 40}, {19, 16, 14, 18}};
    state = 31 + (unsigned)THREADS;
    for (int c = 0; c < 5; c++) {
        struct mer_array_spec spec = {.type = MER_FLOAT64, .rank = 1 + c % 4};
        memcpy(spec.extent, extent[c % 4], sizeof extent[0]);
        spec.order = c % 2 ? MER_COLUMN_MAJOR : MER_ROW_MAJOR;
        spec.axis[0].halo = c == 4;
        mer_array *a = mer_array_create(&spec);
        shifts_together(a);
        mer_array_free(a);
    }
    return 0;
}

/* The same shift over and over while threads come late: buffers are not filled before they are empty. */
static int repeated(void) {
    state = 5;
    unsigned mine = 77 + (unsigned)ME;
    struct mer_array_spec spec = {.type = MER_INT64, .rank = 1, .extent = {37}};
    mer_array *a = mer_array_create(&spec), *b = mer_array_like(a, "b");
    for (int round = 0; round < 400; round++) {
        fill(a, (unsigned)round);
        mer_cshift(b, a, 3, 0);
        struct one o = {.shift = {.kind = MER_CSHIFT, .distance = 3}, .to = b, .seed = (unsigned)round};
        check(&o);
        job_delay(&mine, 2000);
    }
    mer_array_free(a);
    mer_array_free(b);
    return 0;
}

/* Messages of several megabytes, which go to another host in parts: none is unpacked before its last part. */
static int long_messages(void) {
    struct mer_array_spec spec = {.type = MER_INT64, .rank = 1, .extent = {300000L * THREADS}};
    mer_array *a = mer_array_create(&spec), *b = mer_array_like(a, "b");
    for (int round = 0; round < 6; round++) {
        struct one o = {.shift = {.kind = MER_CSHIFT, .distance = 300000}, .to = b, .seed = (unsigned)round};
        fill(a, o.seed);
        mer_cshift(b, a, o.shift.distance, 0);
        check(&o);
    }
    mer_array_free(a);
    mer_array_free(b);
    return 0;
}

/* The table of short copies holds places of 32 bits: no other copies are in it. */
static int far_copies(void) {
    const long one = 1;
    const ptrdiff_t next = 8;
    struct mer_copy copy;
    mer_copy_prepare(&copy, 8, 1, &one, &next, &next);
    for (int side = 0; side < 2; side++)
        for (ptrdiff_t at = (1L << 31) - 8; at <= 1L << 31; at += 8) {
            struct mer_copy_table *plan = mer_copy_table_new(
                &(struct mer_table_move){.copy = &copy, .to = side ? at : 0, .from = side ? 0 : at}, 1);
            CHECK((plan != NULL) == (at < 1L << 31));
            free(plan);
        }
    return 0;
}

/* ---- whole arrays -------------------------------------------------------------------------------------- */

static size_t whole_size(const struct mer_array_info *info) {
    size_t n = info->size;
    for (int k = 0; k < info->rank; k++)
        n *= (size_t)info->extent[k];
    return n;
}

/* All elements in the array's order, as a serial program has them. */
static unsigned char *serial(const struct mer_array_info *info, unsigned seed) {
    unsigned char *all = malloc(whole_size(info)), *at = all;
    long index[RANK] = {0};
    CHECK(all);
    for (bool more = true; more; at += info->size) {
        element(at, info->size, seed, info->rank, index);
        more = false;
        for (int i = 0; i < info->rank && !more; i++) {
            int k = info->order == MER_ROW_MAJOR ? info->rank - 1 - i : i;
            more = ++index[k] < info->extent[k];
            if (!more)
                index[k] = 0;
        }
    }
    return all;
}

static void check_filled(mer_array *a, unsigned seed) {
    struct walk w = walk(a);
    unsigned char bytes[32];
    while (next(&w)) {
        element(bytes, w.info.size, seed, w.info.rank, w.index);
        CHECK(memcmp(bytes, here(&w), w.info.size) == 0);
    }
}

static void gather_and_scatter(mer_array *a, unsigned seed) {
    struct mer_array_info info;
    mer_array_describe(a, ME, &info);
    unsigned char *want = serial(&info, seed), *all = malloc(whole_size(&info)), zero[32] = {0};
    int root = (int)below((unsigned)THREADS);
    mer_array_gather(a, ME == root ? all : NULL, root);
    CHECK(ME != root || memcmp(all, want, whole_size(&info)) == 0);
    mer_array_fill(a, zero);
    mer_array_scatter(a, ME == root ? all : NULL, root);
    check_filled(a, seed);
    long index[RANK];
    for (int i = 0; i < 5; i++) {
        unsigned char bytes[32], got[32];
        for (int k = 0; k < info.rank; k++)
            index[k] = (long)below((unsigned)info.extent[k]);
        element(bytes, info.size, seed, info.rank, index);
        mer_array_get(a, index, got);
        CHECK(memcmp(got, bytes, info.size) == 0);
        struct mer_array_info theirs;
        mer_array_describe(a, mer_array_owner(a, index), &theirs);
        for (int k = 0; k < info.rank; k++)
            CHECK(index[k] >= theirs.first[k] && index[k] < theirs.first[k] + theirs.count[k]);
    }
    mer_barrier(0, 0, "a.c:1");
    free(want);
    free(all);
}

static void files(mer_array *a, mer_array *b, unsigned seed) {
    char path[64];
    unsigned char zero[32] = {0};
    struct mer_array_info info;
    struct mer_array_spec spec;
    mer_array_describe(a, ME, &info);
    snprintf(path, sizeof path, "/tmp/test_array.%ld.npy", (long)mer_here.launcher);
    CHECK(mer_array_save(a, path) == 0);
    CHECK(mer_npy_describe(path, &spec) == 0);
    CHECK(spec.rank == info.rank && spec.order == info.order && spec.type == info.type);
    mer_array_fill(b, zero);
    CHECK(mer_array_load(b, path) == 0);
    check_filled(b, seed);
    mer_barrier(0, 0, "a.c:2");
    if (ME == 0)
        unlink(path);
    mer_barrier(0, 0, "a.c:3");
    CHECK(mer_array_load(b, path) == ENOENT);
}

static int whole(void) {
    state = 31 + (unsigned)THREADS;
    for (int c = 0; c < 12; c++) {
        struct mer_array_spec spec = random_spec(1 + (int)below(5)), other;
        mer_array *a = mer_array_create(&spec);
        fill(a, (unsigned)c);
        gather_and_scatter(a, (unsigned)c);
        other = random_spec(spec.rank);
        other.type = spec.type;
        memcpy(other.extent, spec.extent, sizeof other.extent);
        random_axes(&other, &state, THREADS);
        mer_array *to = random_align(&other, &state, THREADS), *b = mer_array_create(&other);
        mer_array_free(to);
        mer_array_copy(b, a);
        check_filled(b, (unsigned)c);
        files(a, b, (unsigned)c);
        mer_array_free(a);
        mer_array_free(b);
    }
    return 0;
}

/* ---- layouts ------------------------------------------------------------------------------------------- */

/* Each element has one owner, which holds it at the place in the array's descriptor; masks count the
 * elements. */
static int layouts(void) {
    state = 99 + (unsigned)THREADS;
    for (int c = 0; c < 20; c++) {
        struct mer_array_spec spec = random_spec(1 + (int)below(4));
        mer_array *a = mer_array_create(&spec);
        struct walk w = walk(a);
        size_t block = 1, valid = 0, mine = 0;
        for (int k = 0; k < spec.rank; k++)
            block *= (size_t)w.info.block[k];
        unsigned char *mask = malloc(block);
        mer_array_mask(a, mask);
        for (size_t i = 0; i < block; i++)
            valid += mask[i];
        while (next(&w)) {
            mine++;
            CHECK(mer_array_owner(a, w.index) == ME);
            CHECK(mer_array_at(a, w.index) == here(&w));
        }
        CHECK(valid == mine);
        CHECK((w.info.local != NULL) == (mine > 0));
        mer_barrier_exchange("count", mine);
        size_t all = 0, want = 1;
        for (int t = 0; t < THREADS; t++)
            all += mer_barrier_payload(t);
        for (int k = 0; k < spec.rank; k++)
            want *= (size_t)spec.extent[k];
        CHECK(all == want);
        free(mask);
        spec.align = a; /* arrays with equal layouts may be shifted into each other */
        mer_array *aligned = mer_array_create(&spec);
        mer_cshift(aligned, a, 1, 0);
        mer_array_free(aligned);
        mer_array_free(a);
    }
    return 0;
}

/* Elements may be put into an array with a halo, which is cleared, as soon as it has been made. */
static int put_at_once(void) {
    struct mer_array_spec spec = {.name = "u", .type = MER_INT32, .rank = 1, .extent = {40000}};
    spec.axis[0].halo = 1;
    for (int round = 0; round < 100; round++) {
        mer_array *a = mer_array_create(&spec), *b = mer_array_like(a, "b");
        if (ME == round % THREADS)
            for (long i = 0; i < spec.extent[0]; i += 997) {
                mer_array_put(a, &i, &(int){7});
                mer_array_put(b, &i, &(int){8});
            }
        mer_barrier_exchange("the elements", 0);
        for (long i = 0; i < spec.extent[0]; i += 997) {
            int one = 0, two = 0;
            mer_array_get(a, &i, &one);
            mer_array_get(b, &i, &two);
            CHECK(one == 7 && two == 8);
        }
        mer_array_free(a);
        mer_array_free(b);
    }
    return 0;
}

/* Axes whose blocks' length is fixed have as many processes as hold blocks, even if only 6 of 7 have a
 * part. */
static int blocks(void) {
    static const struct mer_array_spec specs[] = {
        {.type = MER_INT8, .rank = 2, .extent = {100, 100}, .axis[0].block = 25},
        {.type = MER_INT8, .rank = 2, .extent = {100, 100}, .axis[1].block = 34},
        {.type = MER_INT8, .rank = 2, .extent = {6, 9}, .axis = {{.block = 4}, {.block = 3}}},
        {.type = MER_INT8,
         .rank = 3,
         .extent = {3, 5, 9},
         .axis = {{.block = 2}, {.block = 0}, {.block = 3}}}};
    for (size_t n = 0; n < sizeof specs / sizeof *specs; n++) {
        mer_array *a = mer_array_create(&specs[n]);
        struct mer_array_info i;
        mer_array_describe(a, ME, &i);
        for (int k = 0; k < i.rank; k++) {
            CHECK(i.processes[k] * i.block[k] >= i.extent[k]);
            CHECK(!specs[n].axis[k].block || specs[n].axis[k].block == i.block[k]);
        }
        fill(a, 3);
        struct one o = {
            .shift = {.kind = MER_CSHIFT, .distance = 1}, .to = mer_array_like(a, "c"), .seed = 3};
        mer_cshift(o.to, a, 1, 0);
        check(&o);
        mer_array_free(o.to);
        mer_array_free(a);
    }
    return 0;
}

/* The manual's default layout: blocks as square as possible, weights, SERIAL, ALIGN. */
static int shapes(void) {
    struct mer_array_info i;
    mer_array *a = mer_array_create(
        &(struct mer_array_spec){.type = MER_FLOAT64, .rank = 2, .extent = {32, 32}});
    mer_array_describe(a, ME, &i);
    CHECK(i.block[0] == 8 && i.block[1] == 8); /* the paper's example, 16 threads */
    mer_array *b = mer_array_create(
        &(struct mer_array_spec){.type = MER_FLOAT64, .rank = 2, .extent = {32, 32}, .axis[1].weight = 100});
    mer_array_describe(b, ME, &i);
    CHECK(i.block[0] == 2 && i.block[1] == 32);
    mer_array *c = mer_array_create(
        &(struct mer_array_spec){.type = MER_FLOAT64, .rank = 3, .extent = {3, 32, 32}, .axis[0].serial = 1});
    mer_array_describe(c, ME, &i);
    CHECK(i.block[0] == 3 && i.block[1] == 8 && i.block[2] == 8);
    mer_array *d = mer_array_create(&(struct mer_array_spec){
        .type = MER_INT32, .rank = 1, .extent = {30}, .align = a, .axis[0].follows = 2});
    for (long j = 0; j < 30; j++)
        CHECK(mer_array_owner(d, &j) == mer_array_owner(a, (long[]){0, j}));
    mer_array *e = mer_array_create(&(struct mer_array_spec){.type = MER_INT32, .rank = 1, .extent = {64}});
    for (long j = 1; j < 64; j++) { /* neighbours differ in one bit */
        int x = mer_array_owner(e, &j) ^ mer_array_owner(e, (long[]){j - 1});
        CHECK((x & (x - 1)) == 0);
    }
    return 0;
}

/* Sums, least and largest elements against the formulas; parts of any sizes, some empty. */
static int reduced(void) {
    for (long n = 1; n < 200; n += 13) {
        struct mer_array_spec spec = {.rank = 2, .extent = {n, 7}, .axis[0].halo = 2};
        static const enum mer_type types[] = {MER_INT8, MER_UINT32, MER_FLOAT32, MER_COMPLEX128,
                                              MER_FLOAT128};
        for (int i = 0; i < 5; i++) {
            spec.type = types[i];
            mer_array *a = mer_array_create(&spec);
            struct walk w = walk(a);
            while (next(&w)) { /* -3 ... n - 4 in the first column, 100 in the others */
                long value = w.index[1] ? 100 : w.index[0] % 100 - 3;
                switch (types[i]) {
                case MER_INT8:
                    *(signed char *)here(&w) = (signed char)value;
                    break;
                case MER_UINT32:
                    *(unsigned *)here(&w) = (unsigned)(value + 3);
                    break;
                case MER_FLOAT32:
                    *(float *)here(&w) = (float)value;
                    break;
                case MER_COMPLEX128:
                    ((double *)here(&w))[0] = (double)value, ((double *)here(&w))[1] = 1;
                    break;
                default:
                    *(__float128 *)here(&w) = value;
                }
            }
            long sum = 600 * n, largest = 100;
            for (long j = 0; j < n; j++)
                sum += j % 100 - 3;
            union {
                long long whole;
                unsigned long long natural;
                double real[2];
                __float128 quad;
            } result;
            mer_array_reduce(a, MER_SUM, &result);
            CHECK(types[i] != MER_INT8 || result.whole == sum);
            CHECK(types[i] != MER_UINT32 || result.natural == (unsigned long)(sum + 21 * n));
            CHECK(types[i] != MER_FLOAT32 || result.real[0] == (double)sum);
            CHECK(types[i] != MER_COMPLEX128 || (result.real[0] == (double)sum && result.real[1] == 7.0 * n));
            CHECK(types[i] != MER_FLOAT128 || result.quad == sum);
            if (types[i] != MER_COMPLEX128) {
                mer_array_reduce(a, MER_MIN, &result);
                CHECK(types[i] != MER_INT8 || result.whole == -3);
                CHECK(types[i] != MER_UINT32 || result.natural == 0);
                CHECK(types[i] != MER_FLOAT32 || result.real[0] == -3);
                CHECK(types[i] != MER_FLOAT128 || result.quad == -3);
                mer_array_reduce(a, MER_MAX, &result);
                CHECK(types[i] != MER_INT8 || result.whole == largest);
                CHECK(types[i] != MER_FLOAT32 || result.real[0] == (double)largest);
                CHECK(types[i] != MER_FLOAT128 || result.quad == largest);
            }
            mer_array_free(a);
        }
    }
    double nan = __builtin_nan(""), found;
    mer_array *a = mer_array_create(&(struct mer_array_spec){.type = MER_FLOAT64, .rank = 1, .extent = {50}});
    mer_array_fill(a, &(double){2});
    mer_barrier(0, 0, "a.c:1");
    if (ME == 0)
        mer_array_put(a, (long[]){31}, &nan);
    mer_barrier(0, 0, "a.c:1");
    mer_array_reduce(a, MER_MAX, &found);
    CHECK(found != found);
    mer_array_free(a);
    return 0;
}

/* An array over memory of the threads' own. */
static int over(void) {
    struct mer_array_spec spec = {
        .name = "mine", .type = MER_INT32, .rank = 2, .extent = {3 * THREADS - 1, 4}, .axis[1].serial = 1};
    spec.axis[0].order = MER_SEND;
    mer_u64 at = mer_heap_local(3 * 4 * sizeof(int), "test");
    int *part = mer_at(mer_bits((mer_u64)ME, at));
    mer_array *a = mer_array_over(&spec, part), *b = mer_array_like(a, "b");
    fill(a, 4);
    struct one o = {.shift = {.kind = MER_CSHIFT, .distance = 1}, .to = b, .seed = 4};
    mer_cshift(b, a, 1, 0);
    check(&o);
    o.to = a;
    mer_cshift(a, a, 1, 0);
    check(&o);
    mer_array_free(a);
    mer_array_free(b);
    mer_barrier(0, 0, "a.c:1");
    mer_heap_free(ME, at, "test");
    return 0;
}

static const struct job_body bodies[] = {{"shifts", shifts},
                                         {"repeated", repeated},
                                         {"long_messages", long_messages},
                                         {"far_copies", far_copies},
                                         {"whole", whole},
                                         {"layouts", layouts},
                                         {"shapes", shapes},
                                         {"blocks", blocks},
                                         {"over", over},
                                         {"reduced", reduced},
                                         {"large", large},
                                         {"put_at_once", put_at_once},
                                         {0}};

static void checks(void) {
    static const int counts[] = {1, 2, 3, 4, 5, 7, 8, 12, 16};
    int most = JOB_SANITIZED || job_hosts > 1 ? 5 : 9;
    for (int i = 0; i < most; i++) {
        job_expect_good("shifts", counts[i]);
        job_expect_good("layouts", counts[i]);
        job_expect_good("whole", counts[i]);
        job_expect_good("over", counts[i]);
    }
    for (int n = 1; n < 6; n++)
        job_expect_good("reduced", n);
    for (int n = 6; n < 9; n++)
        job_expect_good("blocks", n);
    job_expect_good("repeated", 3);
    job_expect_good("repeated", 4);
    job_expect_good("long_messages", 2);
    job_expect_good("far_copies", 1);
    job_expect_good("put_at_once", 4);
    job_expect_good("large", 1);
    job_expect_good("large", 3);
    if (!JOB_SANITIZED)
        job_expect_good("shapes", 16);
    setenv("MERIDIAN_REMOTE", "1", 1);
    setenv("CASES", "4", 1);
    for (int n = 2; n <= 4 && job_hosts == 1; n++) {
        job_expect_good("shifts", n);
        job_expect_good("whole", n);
        job_expect_good("over", n);
        job_expect_good("repeated", n);
    }
}

int main(int argc, char **argv) { return job_main(argc, argv, bodies, checks); }
