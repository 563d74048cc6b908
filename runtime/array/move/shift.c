/* Shifts: mer_cshift, mer_eoshift, and many at a time (TR-18-93, sections 3 to 5).
 *
 * A set-up is an exchange (exchange.h) whose memories are, for n shifts, the n results, then the n sources,
 * then the n boundaries.  A shift is one or two regions of the result: the elements from the source, and for
 * an end-off shift the elements that the boundary fills.  mer_cshift and mer_eoshift keep the set-ups of
 * their last shifts, so that a call costs as much as a run of a set-up of one shift.
 */
#include "array/move/exchange.h"
#include "array/layout/object.h"
#include "array/layout/type.h"
#include "base/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCALAR_BYTES MER_TYPE_MOST

struct setup {
    const struct mer_geometry *g;
    int n;
    struct mer_shift *shift;
    const struct mer_geometry **boundary; /* of shift i, null unless its kind is MER_EOSHIFT_ARRAY */
    struct mer_exchange *exchange;
    char **memory;   /* 3 * n, of the run under way */
    char *values;    /* n times SCALAR_BYTES, of the run under way: the caller's may go before the run ends */
    char *scratch;   /* copies of sources that are results too; null until they are needed */
    bool *moves;     /* shift i moves elements within a thread */
    uint64_t digest; /* of the run under way */
    bool started;
    /* The arrays of the previous run, which need no check as long as no array has been freed since. */
    const mer_array **known; /* 2 * n: results, sources; null if there are none yet */
    uint64_t known_freed;
    uint64_t known_digest[2]; /* of mer_pshift with them, and of mer_pshift_start */
    bool overlap;             /* some result is a source */
    bool ends;                /* some shift is end-off */
    bool alone;               /* this thread neither sends nor receives */
};

/* ---- the pattern --------------------------------------------------------------------------------------- */

/* Sets *r to the elements of a block that a shift takes from the source, or leaves to the boundary. */
static bool region_of(const struct setup *s, int i, int thread, bool from_source, struct mer_region *r) {
    const struct mer_shift *shift = &s->shift[i];
    int k = shift->axis;
    if (!mer_region_of_block(r, s->g, s->g, thread))
        return false;
    r->to_slot = i;
    r->from_slot = s->n + i;
    r->shift[k] = shift->distance;
    if (shift->kind == MER_CSHIFT) {
        r->wrap[k] = true;
        return from_source;
    }
    long extent = s->g->extent[k], d = shift->distance;
    d = d > extent ? extent : d < -extent ? -extent : d;
    r->shift[k] = d;
    long low = d < 0 ? -d : 0, high = d > 0 ? extent - d : extent; /* elements that the source has */
    if (!from_source) {
        high = d < 0 ? -d : extent;
        low = d < 0 ? 0 : extent - d;
    }
    r->low[k] = r->low[k] > low ? r->low[k] : low;
    r->high[k] = r->high[k] < high ? r->high[k] : high;
    return r->low[k] < r->high[k];
}

/* Passes pieces from a boundary that is an array of one rank less: its axes are the others'. */
static void boundary_array(const struct setup *s, int i, struct mer_region *r, mer_piece_sink *sink,
                           void *to) {
    int k = s->shift[i].axis;
    r->from = s->boundary[i];
    r->from_slot = 2 * s->n + i;
    r->shift[k] = 0;
    for (int a = 0; a < s->g->rank; a++)
        r->axis[a] = a == k ? -1 : a < k ? a : a - 1;
    mer_pieces_of(r, sink, to);
}

/* Passes a piece from a boundary that is a value: each thread has the value in its own memory, and repeats it
 * along all axes. */
static void boundary_value(const struct setup *s, int i, struct mer_region *r, mer_piece_sink *sink,
                           void *to) {
    int place[RANK];
    struct mer_piece p = {.to_thread = r->thread,
                          .from_thread = r->thread,
                          .to_slot = i,
                          .from_slot = 2 * s->n + i,
                          .rank = s->g->rank,
                          .size = s->g->size};
    mer_geometry_place(s->g, r->thread, place);
    for (int a = 0; a < p.rank; a++) {
        p.count[a] = r->high[a] - r->low[a];
        p.to_stride[a] = s->g->stride[a];
        p.to += (r->low[a] - s->g->block[a] * place[a]) * s->g->stride[a];
    }
    sink(to, &p);
}

static void pattern(const void *context, int thread, mer_piece_sink *sink, void *to) {
    const struct setup *s = context;
    struct mer_region r;
    for (int i = 0; i < s->n; i++) {
        if (region_of(s, i, thread, true, &r))
            mer_pieces_of(&r, sink, to);
        if (!region_of(s, i, thread, false, &r))
            continue;
        if (s->boundary[i])
            boundary_array(s, i, &r, sink, to);
        else
            boundary_value(s, i, &r, sink, to);
    }
}

/* ---- making and freeing -------------------------------------------------------------------------------- */

/* Returns true if the shift is valid, apart from its boundary.  Any distance is valid. */
static bool plausible(const struct mer_geometry *g, const struct mer_shift *shift) {
    return (unsigned)shift->axis < (unsigned)g->rank && (unsigned)shift->kind <= MER_EOSHIFT_ARRAY;
}

/* Fatal if no array is known at the pointer, which is not followed before this check. */
static void check_boundary_known(const struct mer_array *boundary, int i) {
    if (!mer_array_known(boundary))
        mer_call_fatal("the boundary of shift %d, %p, does not point to an array", i, (const void *)boundary);
}

static void check_shift(const struct mer_geometry *g, const struct mer_shift *shift, int i) {
    if ((unsigned)shift->axis >= (unsigned)g->rank)
        mer_call_fatal(
            "shift %d is along axis %d, but the array has the axes 0 to %d (Fortran's dim: 1 to %d)", i,
            shift->axis, g->rank - 1, g->rank);
    if ((unsigned)shift->kind > MER_EOSHIFT_ARRAY)
        mer_call_fatal("shift %d has the unknown kind %d", i, (int)shift->kind);
    if (shift->kind != MER_EOSHIFT_ARRAY)
        return;
    const struct mer_array *b = shift->boundary;
    if (!b)
        mer_call_fatal("shift %d has the kind MER_EOSHIFT_ARRAY, but no boundary array", i);
    check_boundary_known(b, i);
    if (!b->g)
        mer_call_fatal("the boundary `%s' of shift %d has been freed", mer_call_array(b->number), i);
    if (b->g->rank != g->rank - 1)
        mer_call_fatal(
            "the boundary `%s' of shift %d has rank %d, but it has to be %d, one less than the array's",
            mer_call_array(b->number), i, b->g->rank, g->rank - 1);
    if (b->g->type != g->type)
        mer_call_fatal("the boundary `%s' of shift %d is of %s, the array of %s", mer_call_array(b->number),
                       i, mer_type_name(b->g->type), mer_type_name(g->type));
    for (int a = 0; a < b->g->rank; a++)
        if (b->g->extent[a] != g->extent[a < shift->axis ? a : a + 1])
            mer_call_fatal("the boundary `%s' of shift %d has %ld elements along its axis %d, the array %ld",
                           mer_call_array(b->number), i, b->g->extent[a], a,
                           g->extent[a < shift->axis ? a : a + 1]);
}

/* Returns true if this thread's block is full along each axis except the slowest, and nothing lies between
 * its elements: the pieces of a shift then fill it. */
static bool block_is_dense(const struct mer_geometry *g) {
    int place[RANK];
    ptrdiff_t bytes = (ptrdiff_t)g->size;
    if (!mer_geometry_place(g, ME, place))
        return false;
    for (int d = 0; d < g->rank; d++) {
        int k = mer_geometry_axis(g, d);
        if (g->stride[k] != bytes || (d < g->rank - 1 && mer_geometry_count(g, k, place[k]) != g->block[k]))
            return false;
        bytes *= g->block[k];
    }
    return true;
}

static struct setup *make(const struct mer_geometry *g, int n, const struct mer_shift *shifts) {
    struct setup *s = calloc(1, sizeof *s);
    size_t count = (size_t)n;
    if (s) {
        s->shift = calloc(count, sizeof *s->shift);
        s->boundary = calloc(count, sizeof *s->boundary);
        s->memory = calloc(3 * count, sizeof *s->memory);
        s->moves = calloc(count, sizeof *s->moves);
        s->values = calloc(count, SCALAR_BYTES);
    }
    if (!s || !s->shift || !s->boundary || !s->memory || !s->moves || !s->values)
        mer_call_fatal("no memory for a set-up of %d shifts", n);
    s->g = g;
    s->n = n;
    for (int i = 0; i < n; i++) {
        check_shift(g, &shifts[i], i);
        s->shift[i] = shifts[i];
        if (shifts[i].kind == MER_CSHIFT)
            s->shift[i].distance %= g->extent[shifts[i].axis];
        s->boundary[i] = shifts[i].kind == MER_EOSHIFT_ARRAY ? shifts[i].boundary->g : NULL;
        s->ends = s->ends || shifts[i].kind != MER_CSHIFT;
        s->shift[i].boundary = NULL;
    }
    s->exchange = mer_exchange_new(pattern, s, block_is_dense(g));
    s->alone = mer_exchange_is_local(s->exchange);
    for (int i = 0; i < n; i++)
        s->moves[i] = mer_exchange_reads_slot(s->exchange, n + i);
    return s;
}

static void destroy(struct setup *s) {
    mer_exchange_free(s->exchange);
    free(s->shift);
    free(s->boundary);
    free(s->memory);
    free(s->moves);
    free(s->values);
    free(s->scratch);
    free(s->known);
    free(s);
}

/* ---- running ------------------------------------------------------------------------------------------- */

static char zero[SCALAR_BYTES];

static char *value_of(const struct setup *s, int i, const union mer_boundary *boundary) {
    static _Alignas(16) char one[SCALAR_BYTES];
    static enum mer_type one_of;
    switch (s->shift[i].kind) {
    case MER_EOSHIFT_1:
        if (one_of != s->g->type)
            mer_type_value(one_of = s->g->type, 1, one);
        return one;
    case MER_EOSHIFT_SCALAR:
        if (!boundary || !boundary[i].scalar)
            mer_call_fatal("shift %d has the kind MER_EOSHIFT_SCALAR, but no value is given", i);
        return memcpy(s->values + (size_t)i * SCALAR_BYTES, boundary[i].scalar, s->g->size);
    case MER_EOSHIFT_ARRAY:
        if (!boundary || !boundary[i].array)
            mer_call_fatal("shift %d has the kind MER_EOSHIFT_ARRAY, but no boundary array is given", i);
        check_boundary_known(boundary[i].array, i);
        if (boundary[i].array->g != s->boundary[i])
            mer_call_fatal(
                "the boundary `%s' of shift %d has %s", mer_call_array(boundary[i].array->number), i,
                boundary[i].array->g ? "another shape, type or layout than in the set-up" : "been freed");
        return boundary[i].array->local;
    default:
        return zero;
    }
}

/* Copies each source that is a result too, for the moves within the thread, all into one piece of scratch.
 * Elements for other threads have been packed before any result is written. */
static void keep_sources(struct setup *s) {
    size_t bytes = s->g->bytes, origin = s->g->origin;
    int kept = 0;
    for (int i = 0; i < s->n; i++) {
        char *from = s->memory[s->n + i];
        bool result = false;
        for (int j = 0; j < s->n; j++)
            result = result || s->memory[j] == from;
        if (!result || !s->moves[i] || !from)
            continue;
        if (!s->scratch)
            s->scratch = malloc((size_t)s->n * bytes);
        if (!s->scratch)
            mer_call_fatal("no memory for a copy of a source that is also a result");
        char *copy = s->scratch + (size_t)kept++ * bytes;
        memcpy(copy, from - origin, bytes);
        for (int j = i; j < s->n; j++)
            if (s->memory[s->n + j] == from)
                s->memory[s->n + j] = copy + origin;
    }
}

static bool some_result_is_source(const struct setup *s) {
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            if (s->memory[i] && s->memory[i] == s->memory[s->n + j])
                return true;
    return false;
}

static inline void run_start(struct setup *s) {
    if (!s->alone)
        mer_exchange_send(s->exchange, s->memory, s->digest);
    if (__builtin_expect(s->overlap, 0))
        keep_sources(s);
    mer_exchange_move(s->exchange, s->memory);
}

static inline void run_finish(struct setup *s) {
    if (!s->alone)
        mer_exchange_finish(s->exchange, s->memory, s->digest);
}

/* ---- one shift at a time ------------------------------------------------------------------------------- */

/* The set-ups of mer_cshift and mer_eoshift, most recently used first; the first few, between which programs
 * alternate, keep their order.  All threads make the same calls, so they have the same set-ups in the same
 * order, and drop the same one. */
#define MOST_KEPT 64
#define IN_PLACE 16
static struct setup *kept[MOST_KEPT];
static int kept_count;

static inline bool is_for(const struct setup *s, const struct mer_geometry *g,
                          const struct mer_shift *shift) {
    const struct mer_shift *have = s->shift;
    return s->g == g && have->axis == shift->axis && have->distance == shift->distance &&
           have->kind == shift->kind && (!shift->boundary || s->boundary[0] == shift->boundary->g);
}

static struct setup *find_kept(const struct mer_geometry *g, const struct mer_shift *shift) {
    int i = 0;
    while (i < kept_count && !is_for(kept[i], g, shift))
        i++;
    struct setup *found = i < kept_count ? kept[i] : NULL;
    if (found && i < IN_PLACE)
        return found;
    if (!found) {
        found = make(g, 1, shift);
        if (kept_count == MOST_KEPT)
            destroy(kept[--kept_count]); /* make has waited for all */
        i = kept_count++;
    }
    memmove(&kept[1], &kept[0], (size_t)i * sizeof *kept);
    return kept[0] = found;
}

/* The checks of a call.  They call functions only if there is an error or a boundary array. */
static inline void check_created(enum mer_call call, const mer_array *a) {
    if (__builtin_expect(!a || !a->g, 0))
        mer_array_check(a, mer_call_text(call));
}
static inline void check_one(const mer_array *result, const mer_array *array, const struct mer_shift *shift) {
    if (__builtin_expect(result->g != array->g, 0))
        mer_array_check_alike(result, array);
    if (!plausible(array->g, shift) || shift->kind == MER_EOSHIFT_ARRAY)
        check_shift(array->g, shift, 0);
}

static void shift_one(enum mer_call call, mer_array *result, const mer_array *array, struct mer_shift *shift,
                      union mer_boundary boundary) {
    check_created(call, result);
    check_created(call, array);
    uint64_t digest = mer_call_begin(
        call, result->number, array->number,
        mer_call_digest((uint64_t)shift->distance, (uint64_t)shift->axis << 8 | (unsigned)shift->kind));
    check_one(result, array, shift);
    long extent = array->g->extent[shift->axis];
    if (shift->kind == MER_CSHIFT && (shift->distance >= extent || shift->distance <= -extent))
        shift->distance %= extent;
    struct setup *s = kept_count && is_for(kept[0], array->g, shift) ? kept[0] : find_kept(array->g, shift);
    s->memory[0] = result->local;
    s->memory[1] = array->local;
    if (s->ends)
        s->memory[2] = value_of(s, 0, &boundary);
    s->overlap = result == array || result->local == array->local;
    s->digest = digest;
    run_start(s);
    run_finish(s);
}

void mer_cshift(mer_array *result, const mer_array *array, long shift, int axis) {
    struct mer_shift one = {.kind = MER_CSHIFT, .axis = axis, .distance = shift};
    shift_one(MER_CALL_SHIFT_CIRCULAR, result, array, &one, (union mer_boundary){NULL});
}

void mer_eoshift(mer_array *result, const mer_array *array, long shift, enum mer_shift_kind kind,
                 union mer_boundary boundary, int axis) {
    struct mer_shift one = {.kind = kind, .axis = axis, .distance = shift};
    if (kind == MER_EOSHIFT_ARRAY)
        one.boundary = boundary.array;
    shift_one(MER_CALL_SHIFT_END_OFF, result, array, &one, boundary);
}

/* ---- many at a time ------------------------------------------------------------------------------------ */

static struct setup **setups; /* by number - 1; freed ones are null */
static int setups_count;

/* Returns how many shifts of a list come before the first one that cannot be read, or is not valid.  Reads
 * none after that one, since the list may be shorter than its count. */
static int plausible_shifts(const struct mer_geometry *g, int n, const struct mer_shift *shifts) {
    int i = 0;
    while (shifts && i < n && mer_can_read(&shifts[i], sizeof shifts[i]) && plausible(g, &shifts[i]))
        i++;
    return i;
}

/* Fatal: reports the error of shift i, which is not valid. */
_Noreturn static void refuse_shift(const struct mer_geometry *g, int n, const struct mer_shift *shifts,
                                   int i) {
    if (n < 1 || !shifts)
        mer_call_fatal(n < 1 ? "the number of shifts is %d, but has to be at least 1"
                             : "the list of %d shifts is a null pointer",
                       n);
    if (mer_can_read(&shifts[i], sizeof shifts[i]))
        check_shift(g, &shifts[i], i);
    mer_call_fatal("shift %d of %d lies at %p, which is not in memory: the list is shorter than its count", i,
                   n, (const void *)&shifts[i]);
}

int mer_pshift_setup(const mer_array *prototype, int n, const struct mer_shift *shifts) {
    uint64_t digest = (uint64_t)n;
    mer_array_check(prototype, "mer_pshift_setup");
    int good = plausible_shifts(prototype->g, n, shifts);
    for (int i = 0; i < good; i++) {
        digest = mer_call_digest(digest, (uint64_t)shifts[i].axis << 8 | (unsigned)shifts[i].kind);
        digest = mer_call_digest(digest, (uint64_t)shifts[i].distance);
    }
    mer_call_begin(MER_CALL_SETUP, prototype->number, 0, digest);
    mer_barrier_check_outside("mer_pshift_setup");
    if (n < 1 || good < n)
        refuse_shift(prototype->g, n, shifts, good);
    struct setup **more = realloc(setups, ((size_t)setups_count + 1) * sizeof *setups);
    if (!more)
        mer_call_fatal("no memory for a set-up of %d shifts", n);
    setups = more;
    setups[setups_count] = make(prototype->g, n, shifts);
    return ++setups_count;
}

int mer_pshift_count(int id) {
    return id >= 1 && id <= setups_count && setups[id - 1] ? setups[id - 1]->n : 0;
}

static struct setup *setup_of(int id) {
    if (!setups_count)
        mer_call_fatal("there is no set-up %d; mer_pshift_setup has not been called", id);
    if (id < 1 || id > setups_count)
        mer_call_fatal("there is no set-up %d; mer_pshift_setup has returned 1 to %d", id, setups_count);
    if (!setups[id - 1])
        mer_call_fatal("set-up %d has been freed", id);
    return setups[id - 1];
}

static void check_prototype(const struct setup *s, int id, const mer_array *a, const char *what, int i) {
    char role[48], owner[24];
    if (a->g == s->g)
        return;
    snprintf(role, sizeof role, ", the %s of shift %d,", what, i);
    snprintf(owner, sizeof owner, "set-up %d", id);
    mer_array_check_prototype(a, s->g, role, owner);
}

static void check_arrays(const struct setup *s, int id, mer_array *const *to, const mer_array *const *from) {
    if (!to || !from)
        mer_call_fatal("set-up %d has %d shifts, but the list of %s is a null pointer", id, s->n,
                       to ? "sources" : "results");
    for (int i = 0; i < s->n; i++) {
        if (!to[i] || !from[i])
            mer_call_fatal("the %s of shift %d is a null pointer", to[i] ? "source" : "result", i);
        for (int which = 0; which < 2; which++) {
            const mer_array *a = which ? from[i] : to[i];
            if (!mer_array_known(a))
                mer_call_fatal("the %s of shift %d, %p, does not point to an array; set-up %d has %d shifts",
                               which ? "source" : "result", i, (const void *)a, id, s->n);
            if (!a->g)
                mer_call_fatal("`%s', the %s of shift %d, has been freed", mer_call_array(a->number),
                               which ? "source" : "result", i);
            check_prototype(s, id, a, which ? "source" : "result", i);
        }
        for (int j = 0; j < i; j++)
            if (to[i] == to[j])
                mer_call_fatal("`%s' is the result of two shifts, %d and %d", mer_call_array(to[i]->number),
                               j, i);
    }
}

/* Returns the number of an array of a list, or 0 if there is none: the list may be shorter than the set-up
 * requires. */
static uint64_t number_of(const mer_array *const *list, int i) {
    return list && mer_array_known(list[i]) ? list[i]->number : 0;
}

/* Returns a digest of a call that runs the set-up, with its arrays as far as there are any. */
static uint64_t digest_of(enum mer_call call, int id, int n, mer_array *const *to,
                          const mer_array *const *from) {
    uint64_t digest = 0;
    for (int i = 0; i < n; i++) {
        uint64_t a = number_of((const mer_array *const *)to, i), b = number_of(from, i);
        if (a && b)
            digest = mer_call_digest(digest, a << 32 | b);
    }
    return mer_call_digest_of(call, number_of((const mer_array *const *)to, 0), number_of(from, 0),
                              mer_call_digest((uint64_t)id, digest));
}

/* Returns true if the arrays are those of the previous run.  A comparison of addresses, which replaces all
 * checks; by a loop, since for so few addresses calls of memcmp take longer. */
static bool as_before(const struct setup *s, mer_array *const *to, const mer_array *const *from) {
    if (!s->known || s->known_freed != mer_arrays_freed)
        return false;
    for (int i = 0; i < s->n; i++)
        if (s->known[i] != to[i] || s->known[s->n + i] != from[i])
            return false;
    return true;
}

static void look_at(struct setup *s, int id, mer_array *const *to, const mer_array *const *from) {
    size_t n = (size_t)s->n;
    check_arrays(s, id, to, from);
    for (int i = 0; i < s->n; i++) {
        s->memory[i] = to[i]->local;
        s->memory[s->n + i] = from[i]->local;
    }
    s->overlap = some_result_is_source(s);
    if (!s->known)
        s->known = calloc(2 * n, sizeof *s->known);
    if (!s->known)
        mer_call_fatal("no memory for its arguments");
    memcpy(s->known, to, n * sizeof *to);
    memcpy(s->known + n, from, n * sizeof *from);
    s->known_freed = mer_arrays_freed;
    for (int i = 0; i < 2; i++)
        s->known_digest[i] = digest_of(i ? MER_CALL_START : MER_CALL_PSHIFT, id, s->n, to, from);
}

static struct setup *start(enum mer_call call, int id, mer_array *const *to, const mer_array *const *from,
                           const union mer_boundary *boundary) {
    struct setup *have = id >= 1 && id <= setups_count && to && from ? setups[id - 1] : NULL;
    bool before = have && as_before(have, to, from);
    uint64_t first = before ? to[0]->number : number_of((const mer_array *const *)to, 0);
    uint64_t second = before ? from[0]->number : number_of(from, 0);
    uint64_t own = before ? have->known_digest[call == MER_CALL_START]
                          : digest_of(call, id, have ? have->n : 0, to, from);
    uint64_t digest = mer_call_begin_known(call, first, second, own);
    struct setup *s = setup_of(id);
    if (s->started)
        mer_call_fatal("set-up %d has been started; call mer_pshift_finish first", id);
    if (!before)
        look_at(s, id, to, from);
    for (int i = 0; i < s->n && s->overlap; i++) /* the previous run has put copies in place of sources */
        s->memory[s->n + i] = from[i]->local;
    for (int i = 0; i < s->n && s->ends; i++)
        s->memory[2 * s->n + i] = value_of(s, i, boundary);
    s->digest = digest;
    run_start(s);
    return s;
}

void mer_pshift(int id, mer_array *const *to, const mer_array *const *from,
                const union mer_boundary *boundary) {
    struct setup *s = start(MER_CALL_PSHIFT, id, to, from, boundary);
    run_finish(s);
}

void mer_pshift_start(int id, mer_array *const *to, const mer_array *const *from,
                      const union mer_boundary *boundary) {
    start(MER_CALL_START, id, to, from, boundary)->started = true;
}

/* Fatal if an array of a started run has been freed before the run is finished. */
static void check_still_there(const struct setup *s) {
    for (int i = 0; i < 2 * s->n && s->known_freed != mer_arrays_freed; i++) {
        const mer_array *a = s->known[i];
        if (!mer_array_known(a) || !a->g)
            mer_call_fatal("the %s of shift %d has been freed since mer_pshift_start",
                           i < s->n ? "result" : "source", i % s->n);
    }
}

void mer_pshift_finish(int id) {
    mer_call_begin(MER_CALL_FINISH, 0, 0, (uint64_t)id);
    struct setup *s = setup_of(id);
    if (!s->started)
        mer_call_fatal("set-up %d has not been started; call mer_pshift_start first", id);
    check_still_there(s);
    s->started = false;
    run_finish(s);
}

void mer_pshift_free(int id) {
    mer_call_begin(MER_CALL_UNSET, 0, 0, (uint64_t)id);
    mer_call_barrier();
    struct setup *s = setup_of(id);
    if (s->started)
        mer_call_fatal("set-up %d has been started; call mer_pshift_finish first", id);
    destroy(s);
    setups[id - 1] = NULL;
}
