/* Stencils, see meridian/stencil.h: making them, and time steps with their exchanges of halos.
 *
 * A step on a process: send the block's edges, compute the elements that need no halo, wait for the halo, set
 * the elements beyond faces, compute the rest.  If an exchange serves s steps, the halo is s radii wide, and
 * step j of the s computes the block and s - 1 - j radii around it, which the neighbours compute too: more
 * arithmetic for fewer messages.  The s steps of a block that is larger than the cache are taken tile by tile
 * (time_skewing.c): less traffic to memory. */
#include "array/layout/cache.h"
#include "array/layout/processor.h"
#include "array/stencil/sweep.h"
#include "array/layout/type.h"
#include "base/system.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 64      /* of an exchange */
#define MOST_L3 (8L << 20) /* bytes of a tile over several steps */

/* Returns the block's elements that need no halo from elsewhere, nor absorbing faces, which need the whole
 * level before. */
static struct mer_box inner(const struct mer_stencil *s, const struct mer_box *block) {
    struct mer_box box = *block;
    for (int k = 0; k < s->g->rank; k++) {
        if (!s->absorbs && s->g->processes[k] == 1 && !mer_halo_wraps(s->halo, k))
            continue;
        box.low[k] += s->radius[k];
        box.high[k] -= s->radius[k];
    }
    if (mer_box_empty(s->g, &box))
        memcpy(box.high, box.low, sizeof box.high);
    return box;
}

/* Computes `all' without `done', which lies in it: slabs along each axis in turn. */
static void compute_around(const struct mer_stencil *s, const struct mer_level *l, struct mer_box all,
                           const struct mer_box *done) {
    if (mer_box_empty(s->g, done)) {
        mer_sweep_box(s, l, &all, !s->absorbs);
        return;
    }
    for (int k = 0; k < s->g->rank; k++) {
        struct mer_box low = all, high = all;
        low.high[k] = done->low[k];
        high.low[k] = done->high[k];
        mer_sweep_box(s, l, &low, !s->absorbs);
        mer_sweep_box(s, l, &high, !s->absorbs);
        all.low[k] = done->low[k];
        all.high[k] = done->high[k];
    }
}

/* ---- running ------------------------------------------------------------------------------------------- */

/* Returns the block and `radii' radii around it, as far as the array goes or wraps. */
static struct mer_box grown(const struct mer_stencil *s, const struct mer_box *block, int radii) {
    struct mer_box box = *block;
    for (int k = 0; k < s->g->rank; k++) {
        box.low[k] -= radii * s->radius[k];
        box.high[k] += radii * s->radius[k];
        if (mer_halo_wraps(s->halo, k))
            continue;
        box.low[k] = box.low[k] < 0 ? 0 : box.low[k];
        box.high[k] = box.high[k] > s->g->extent[k] ? s->g->extent[k] : box.high[k];
    }
    return box;
}

/* Fetch the halo of the level before too, for elements that are read there. */
static void fetch_old(struct mer_stencil *s, const struct mer_level *l, uint64_t digest) {
    mer_halo_start(s->halo, l->out, digest);
    mer_halo_finish(s->halo, l->out, digest);
}

static void turn(struct mer_level *l) {
    char *made = l->out;
    int values = l->values[1];
    l->out = l->u;
    l->u = made;
    l->values[1] = l->values[0];
    l->values[0] = values;
}

/* Sets l->stand for a step that computes the block and so many radii around it, and notes that the step sets
 * the elements beyond faces of the kind MER_VALUE. */
static void note_values(struct mer_level *l, int radii) {
    l->stand = l->values[0] > radii;
    l->values[0] = l->stand ? l->values[0] : radii + 1;
}

/* Does an exchange and `count' steps, tile by tile; leaves the newest level in l->u. */
static void together_skewed(struct mer_stencil *s, struct mer_level *l, int count, bool any,
                            uint64_t digest) {
    struct mer_box box[MOST_STEPS];
    mer_halo_start(s->halo, l->u, digest);
    mer_halo_finish(s->halo, l->u, digest);
    for (int j = 0; j < count; j++)
        box[j] = grown(s, &l->block, count - 1 - j);
    if (any)
        mer_skew_run(s, l, count, box);
    for (int level = 0; level < 2; level++)
        l->values[level] = l->values[level] < count - level ? count - level : l->values[level];
    if (count % 2)
        turn(l);
}

/* Does an exchange and `count' steps, each over the whole block; leaves the newest level in l->u. */
static void together(struct mer_stencil *s, struct mer_level *l, int count, bool any, uint64_t digest) {
    mer_halo_start(s->halo, l->u, digest);
    struct mer_box done = inner(s, &l->block);
    l->large = s->large;
    note_values(l, count - 1);
    if (any)
        mer_sweep_box(s, l, &done, !s->absorbs);
    mer_halo_finish(s->halo, l->u, digest);
    for (int j = 0; j < count; j++) {
        if (j > 0)
            note_values(l, count - 1 - j);
        if (any) {
            struct mer_box box = grown(s, &l->block, count - 1 - j);
            if (s->absorbs)
                mer_halo_faces(s->halo, l->u, l->out, &box, s->radius, l->stand);
            compute_around(s, l, box, &done);
        }
        memcpy(done.high, done.low, sizeof done.high);
        turn(l);
    }
    if (l->large && (s->streamed || s->planes || s->unrolled || s->reassociated))
        mer_stream_end();
    l->large = false;
}

static void check(const struct mer_stencil *s, const char *call) {
    if (!s || !s->g)
        mer_fatal("%s: the stencil %s", call, s ? "has been freed" : "is a null pointer");
}

/* Fatal if a halo is being fetched: for calls that exchange halos themselves, or free the stencil. */
static void check_idle(const struct mer_stencil *s) {
    if (s->fetched)
        mer_call_fatal("the halo of `%s' is being fetched; call mer_stencil_fetch_finish first",
                       mer_call_array(s->fetched->number));
}

mer_array *mer_stencil_run(mer_stencil *s, mer_array *u, mer_array *old, long steps) {
    mer_array_check(u, "mer_stencil_run");
    mer_array_check(old, "mer_stencil_run");
    check(s, "mer_stencil_run");
    uint64_t digest = mer_call_begin(MER_CALL_STENCIL_RUN, u->number, old->number, (uint64_t)steps);
    mer_array_check_alike(u, old);
    mer_array_check_prototype(u, s->g, "", "the stencil");
    check_idle(s);
    if (u == old || steps < 0)
        mer_call_fatal(u == old ? "both levels are the same array"
                                : "the number of steps is %ld, but has to be at least 0",
                       steps);
    struct mer_level l = {.u = u->local, .out = old->local};
    bool any = mer_halo_block(s->g, &l.block);
    if (s->absorbs) /* faces read the halo of the level before too */
        fetch_old(s, &l, digest);
    for (long left = steps; left > 0;) {
        int count = left < s->steps ? (int)left : s->steps;
        if (s->two_levels && count > 1)
            fetch_old(s, &l, digest);
        if (s->skews && count > 1)
            together_skewed(s, &l, count, any, digest);
        else
            together(s, &l, count, any, digest);
        left -= count;
    }
    return steps % 2 ? old : u;
}

static void fetch_start(enum mer_call call, mer_stencil *s, mer_array *u) {
    mer_array_check(u, mer_call_text(call));
    check(s, mer_call_text(call));
    s->fetch_digest = mer_call_begin(call, u->number, 0, 0);
    mer_array_check_prototype(u, s->g, "", "the stencil");
    check_idle(s);
    if (s->absorbs)
        mer_call_fatal("the stencil has absorbing faces, which need two levels; run it by mer_stencil_run");
    mer_halo_start(s->halo, u->local, s->fetch_digest);
    s->fetched = u;
}

static void fetch_finish(mer_stencil *s) {
    const struct mer_array *u = s->fetched;
    struct mer_box block;
    s->fetched = NULL;
    mer_halo_finish(s->halo, u->local, s->fetch_digest);
    if (mer_halo_block(s->g, &block))
        mer_halo_faces(s->halo, u->local, NULL, &block, s->radius, false);
}

void mer_stencil_fetch(mer_stencil *s, mer_array *u) {
    fetch_start(MER_CALL_STENCIL_FETCH, s, u);
    fetch_finish(s);
}

void mer_stencil_fetch_start(mer_stencil *s, mer_array *u) {
    fetch_start(MER_CALL_STENCIL_FETCH_START, s, u);
}

void mer_stencil_fetch_finish(mer_stencil *s) {
    check(s, "mer_stencil_fetch_finish");
    mer_call_begin(MER_CALL_STENCIL_FETCH_FINISH, s->fetched ? s->fetched->number : 0, 0, 0);
    if (!s->fetched)
        mer_call_fatal("no halo is being fetched; call mer_stencil_fetch_start first");
    if (!s->fetched->g)
        mer_call_fatal("the array has been freed since mer_stencil_fetch_start");
    fetch_finish(s);
}

int mer_stencil_steps(const mer_stencil *stencil) {
    check(stencil, "mer_stencil_steps");
    return stencil->steps;
}

/* ---- making -------------------------------------------------------------------------------------------- */

static void check_kernel(const struct mer_geometry *g, const struct mer_kernel *kernel) {
    if (!kernel->tile)
        mer_call_fatal("the kernel `%s' has no routine", kernel->name ? kernel->name : "?");
    if (kernel->rank != g->rank)
        mer_call_fatal("the kernel `%s' is for arrays of rank %d, the array has rank %d",
                       kernel->name ? kernel->name : "?", kernel->rank, g->rank);
    if (kernel->type != g->type)
        mer_call_fatal("the kernel `%s' is for %s, the array is of %s", kernel->name,
                       mer_type_name(kernel->type), mer_type_name(g->type));
}

/* Fatal if an offset is along an axis that does not exist, or cannot be negated. */
static void check_offsets(const struct mer_geometry *g, const int *offset, int t) {
    for (int k = 0; k < RANK; k++) {
        if (offset[k] && k >= g->rank)
            mer_call_fatal("term %d has an offset along axis %d, but the array has the axes 0 to %d", t, k,
                           g->rank - 1);
        if (offset[k] < -INT_MAX)
            mer_call_fatal("term %d has the offset %d along axis %d", t, offset[k], k);
    }
}

/* Returns true if the list of terms has a term t, as far as can be told: it may be shorter than its count. */
static bool is_there(const struct mer_stencil_spec *spec, int t) {
    return spec->term && mer_can_read(&spec->term[t], sizeof spec->term[t]);
}

static void check_face(const struct mer_geometry *g, const struct mer_face *faces, int k, int side) {
    const struct mer_face *f = &faces[side];
    char element[MER_TYPE_MOST];
    if ((unsigned)f->kind > MER_ABSORBING)
        mer_call_fatal("a face of axis %d has the unknown kind %d", k, (int)f->kind);
    if ((f->kind == MER_PERIODIC) != (faces[!side].kind == MER_PERIODIC))
        mer_call_fatal("one face of axis %d is periodic, the other one is not", k);
    if (f->kind == MER_VALUE && !mer_type_value(g->type, f->value, element))
        mer_call_fatal("a face of axis %d has the value %g, which %s cannot represent", k, f->value,
                       mer_type_name(g->type));
    if (f->kind == MER_ABSORBING && g->type != MER_FLOAT32 && g->type != MER_FLOAT64)
        mer_call_fatal("a face of axis %d is absorbing, which is for float32 and float64 only", k);
    if (f->kind == MER_ABSORBING && !(f->value > 0))
        mer_call_fatal("the absorbing face of axis %d has the Courant number %g, which is not positive", k,
                       f->value);
}

static void check_spec(const struct mer_geometry *g, const struct mer_stencil_spec *spec) {
    if (spec->rows && spec->kernel)
        mer_call_fatal("a stencil has either a function of rows or a kernel; this one has both");
    if (spec->rows || spec->kernel ? spec->terms != 0 : spec->terms < 1 || !spec->term)
        mer_call_fatal("a stencil has either terms or a function; this one has %d terms%s", spec->terms,
                       spec->rows || spec->kernel ? " and a function" : "");
    if (spec->kernel)
        check_kernel(g, spec->kernel);
    for (int t = 0; t < spec->terms; t++) {
        if (!is_there(spec, t))
            mer_call_fatal(
                "term %d of %d lies at %p, which is not in memory: the list is shorter than its count", t,
                spec->terms, (const void *)&spec->term[t]);
        check_offsets(g, spec->term[t].offset, t);
        if (!mer_sums_take(g->type, spec->term[t].coefficient))
            mer_call_fatal(
                "term %d has the coefficient %g, but coefficients for arrays of %s are whole numbers", t,
                spec->term[t].coefficient, mer_type_name(g->type));
    }
    for (int k = 0; k < g->rank; k++)
        for (int side = 0; side < 2; side++)
            check_face(g, spec->face[k], k, side);
}

/* Returns true if halos along the axis come from other processes, or from this one's other end. */
static bool fetched(const struct mer_stencil *s, const struct mer_stencil_spec *spec, int k) {
    return s->g->processes[k] > 1 || spec->face[k][0].kind == MER_PERIODIC;
}

/* Makes the halo.  Periodic axes that lie in the process, and are not cut into tiles over several steps, are
 * wrapped by the process itself, unless there are absorbing faces: these read the halo of the level before
 * too, which has to be fetched. */
static void make_halo(struct mer_stencil *s, const struct mer_stencil_spec *spec, bool corners) {
    int width[RANK] = {0};
    bool wrapped[RANK] = {false};
    struct mer_face face[RANK][2];
    memcpy(face, spec->face, sizeof face);
    for (int k = 0; k < s->g->rank; k++) {
        bool periodic = spec->face[k][0].kind == MER_PERIODIC, cut = s->skews && s->skewed_tile[k];
        wrapped[k] = periodic && s->g->processes[k] == 1 && !cut && !s->absorbs;
        width[k] = s->radius[k] * (fetched(s, spec, k) ? s->steps : 1);
    }
    s->halo = mer_halo_new(s->g, width, corners, face, wrapped);
}

/* Stores the terms, those of the level before first: the first pass overwrites that level. */
static void take_terms(struct mer_stencil *s, const struct mer_stencil_spec *spec) {
    int n = 0;
    for (int old = 1; old >= 0; old--) {
        for (int t = 0; t < spec->terms; t++)
            if ((spec->term[t].old != 0) == old) {
                s->term[n] = spec->term[t];
                s->term[n].old = old;
                s->coefficient[n++] = spec->term[t].coefficient;
            }
        if (old && n > MER_ROW_TERMS)
            mer_call_fatal("%d terms read the level before; at most %d are possible", n, MER_ROW_TERMS);
    }
    for (int t = 0; t < n && !mer_sums_of(s->g->type); t += MER_ROW_TERMS)
        s->pass[t / MER_ROW_TERMS] = mer_row_of(s->g->type, n - t < MER_ROW_TERMS ? n - t : MER_ROW_TERMS,
                                                t > 0);
}

/* Several rows are computed at a time if there are more terms than a pass takes; and in two dimensions if
 * that saves loads and levels come from memory, since the elements that later rows read are prefetched
 * between the sums.  27 points are 1.6 times as fast so, 5 points from memory 1.2 times; 5 points in the
 * caches are slower, and 7 points everywhere. */
static void take_unrolled(struct mer_stencil *s) {
    if (s->terms == 0 || s->reassociated)
        return;
    ptrdiff_t next = s->g->rank > 1 ? s->g->stride[mer_geometry_axis(s->g, 1)] : 0;
    s->unrolled = mer_unrolled_new(s->g->type, s->terms, s->term, s->offset, next);
    if (!s->unrolled || s->terms > MER_ROW_TERMS)
        return;
    if (mer_unrolled_shares(s->unrolled) && s->g->rank == 2 && s->large && !s->two_levels)
        return;
    mer_unrolled_free(s->unrolled);
    s->unrolled = NULL;
}

/* Several planes are computed at a time if levels come from memory: so elements are read once for all planes.
 * In the caches 7 points, the wave and 27 points are not faster so.  Rows have to begin at the same place in
 * their cache lines; and only machine code is fast enough.  With AVX2, whose registers hold half as many
 * vectors of half the length, single planes are faster: 0.9 of the time with 7 points of 256^3, 0.8 with the
 * wave and 27 points. */
static void take_planes(struct mer_stencil *s) {
    if (s->terms == 0 || s->reassociated || s->g->rank < 3 || !(s->large || s->skews))
        return;
    ptrdiff_t plane = s->g->stride[mer_geometry_axis(s->g, 2)];
    if (plane % MER_LINE == 0 && mer_vectors() == MER_VECTORS_AVX512)
        s->planes = mer_unrolled_new(s->g->type, s->terms, s->term, s->offset, plane);
    if (s->planes && !mer_unrolled_coded(s->planes)) {
        mer_unrolled_free(s->planes);
        s->planes = NULL;
    }
}

/* Terms of types without loops in rows.h become a function of rows. */
static void take_sums(struct mer_stencil *s) {
    if (s->terms == 0 || !mer_sums_of(s->g->type))
        return;
    s->sums = (struct mer_sums){s->terms, s->term, s->offset};
    s->rows = mer_sums_of(s->g->type);
    s->context = &s->sums;
    s->terms = 0;
}

static void take_reassociated(struct mer_stencil *s, const struct mer_stencil_spec *spec) {
    const struct mer_geometry *g = s->g;
    if (spec->reassociate && s->terms > 0)
        s->reassociated = mer_reassociated_new(g->type, s->terms, s->term, s->offset, mer_geometry_axis(g, 0),
                                               g->rank > 1 ? g->stride[mer_geometry_axis(g, 1)] : 0);
}

static void find_radius(struct mer_stencil *s, const struct mer_stencil_spec *spec) {
    bool corners = spec->rows || spec->kernel;
    if (corners)
        memcpy(s->radius, spec->kernel ? spec->kernel->radius : spec->radius, sizeof s->radius);
    s->two_levels = spec->rows || (spec->kernel && spec->kernel->old); /* rows may */
    for (int t = 0; t < s->terms; t++) {
        int axes = 0;
        for (int k = 0; k < s->g->rank; k++) {
            int o = abs(s->term[t].offset[k]);
            axes += o != 0;
            s->radius[k] = o > s->radius[k] ? o : s->radius[k];
            s->offset[t] += s->term[t].offset[k] * s->g->stride[k];
        }
        if (s->term[t].old && axes)
            mer_call_fatal(
                "term %d reads the level before at an offset; only the element itself can be read there", t);
        s->two_levels = s->two_levels || s->term[t].old;
        corners = corners || axes > 1;
    }
    s->corners = corners;
}

static int absorbing_faces(const struct mer_geometry *g, const struct mer_stencil_spec *spec) {
    int n = 0;
    for (int k = 0; k < g->rank; k++)
        n += (spec->face[k][0].kind == MER_ABSORBING) + (spec->face[k][1].kind == MER_ABSORBING);
    return n;
}

/* Take `steps' an exchange, tile by tile if that is better: not if the block as a whole stays in that part of
 * the third-level cache which tiles may take.  Tile by tile, a block of 64^3 elements has 0.7 of the speed (7
 * points, the wave, 27 points). */
static void take_steps(struct mer_stencil *s, int steps) {
    long l2 = mer_cache_bytes(2), l3 = mer_cache_bytes(3);
    l3 = l3 < MOST_L3 ? l3 : MOST_L3;
    /* Whole rows are best as long as a tile is in any cache, if the next tile is prefetched meanwhile. */
    if (mer_sweep_takes_ahead(s) && 2 * l2 < l3)
        l2 *= 2;
    s->steps = steps;
    s->skews = 2 * (long)s->g->bytes > l3 &&
               mer_skew_choose(s->g, s->radius, steps, l2, l3 > l2 ? l3 : l2, s->skewed_tile);
}

/* Returns the average cost of a step if an exchange serves so many, by a model in nanoseconds: a share of the
 * exchange, the arithmetic of the computed elements, and the traffic to memory, which single steps overlap
 * with arithmetic. */
static double cost_of(const struct mer_stencil *s, int steps) {
    double exchange = mer_job.has_remote ? 30000 : mer_job.here > mer_here.cores ? 20000 : 1500;
    int terms = s->reassociated ? mer_reassociated_terms(s->reassociated) : s->terms ? s->terms : 8;
    /* Smaller elements take less time: a vector has more of them. */
    double element = 0.1 * terms * (double)s->g->size / 8, computed = 0, block = 1;
    for (int j = 0; j < steps; j++) {
        double box = 1;
        for (int k = 0; k < s->g->rank; k++)
            box *= (double)s->g->block[k] + (s->g->processes[k] > 1 ? 2.0 * j * s->radius[k] : 0);
        computed += box / steps;
    }
    for (int k = 0; k < s->g->rank; k++)
        block *= (double)s->g->block[k];
    double memory = 2 * (double)s->g->bytes > (double)mer_cache_bytes(3) ? (double)s->g->size / 8 : 0;
    if (steps > 1)
        return exchange / steps + element * computed + block * memory / (s->skews ? steps : 1);
    return exchange + block * (memory > element ? memory : element);
}

static int choose_steps(struct mer_stencil *s, int most) {
    int best = 1;
    double lowest = 0;
    for (int n = 1; n <= most; n++) {
        take_steps(s, n);
        double cost = cost_of(s, n);
        if (n == 1 || cost < lowest) {
            lowest = cost;
            best = n;
        }
    }
    return best;
}

/* Returns true if the elements beyond one of the faces are made of elements inside. */
static bool looks_inside(const struct mer_face *faces) {
    return faces[0].kind >= MER_REFLECTING || faces[1].kind >= MER_REFLECTING;
}

static void settle_steps(struct mer_stencil *s, const struct mer_stencil_spec *spec) {
    int most = MOST_STEPS;
    for (int k = 0; k < s->g->rank; k++) {
        if (s->radius[k] < 0 || s->radius[k] > s->g->halo[k])
            mer_call_fatal("the stencil reaches %d elements along axis %d, but the arrays' halo is %d",
                           s->radius[k], k, s->g->halo[k]);
        if (s->radius[k] > s->g->extent[k] && looks_inside(spec->face[k]))
            mer_call_fatal(
                "the stencil reaches %d elements along axis %d, which has %ld: too few for faces that "
                "are reflecting or absorbing",
                s->radius[k], k, s->g->extent[k]);
        if (s->radius[k] && fetched(s, spec, k) && s->g->halo[k] / s->radius[k] < most)
            most = s->g->halo[k] / s->radius[k];
    }
    s->absorbs = absorbing_faces(s->g, spec) > 0;
    if (spec->steps < 0 || spec->steps > most || (spec->steps > 1 && s->absorbs))
        mer_call_fatal("%d steps between exchanges, but the halo is wide enough for %d%s", spec->steps, most,
                       s->absorbs ? ", and stencils with absorbing faces exchange after each step" : "");
    bool single = spec->rows || spec->context || s->absorbs;
    take_steps(s, spec->steps ? spec->steps : single ? 1 : choose_steps(s, most));
}

static uint64_t with(uint64_t digest, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return mer_call_digest(digest, bits);
}

/* Returns a digest of the arguments that have to be the same on all threads: all except functions and
 * contexts, whose addresses may differ. */
static uint64_t digest_of(const struct mer_geometry *g, const struct mer_stencil_spec *spec) {
    uint64_t digest = mer_call_digest((uint64_t)spec->terms, (uint64_t)spec->steps);
    digest = mer_call_digest(digest, (uint64_t)spec->reassociate);
    digest = mer_call_digest(digest, spec->kernel && spec->kernel->old);
    for (int t = 0; t < spec->terms && is_there(spec, t); t++) {
        digest = with(mer_call_digest(digest, spec->term[t].old != 0), spec->term[t].coefficient);
        for (int k = 0; k < RANK; k++)
            digest = mer_call_digest(digest, (uint64_t)spec->term[t].offset[k]);
    }
    for (int k = 0; k < g->rank; k++) {
        int radius = spec->kernel ? spec->kernel->radius[k] : spec->rows ? spec->radius[k] : 0;
        digest = mer_call_digest(digest, (uint64_t)radius);
        for (int side = 0; side < 2; side++)
            digest = with(mer_call_digest(digest, spec->face[k][side].kind), spec->face[k][side].value);
    }
    return digest;
}

mer_stencil *mer_stencil_create_cut(const mer_array *prototype, const struct mer_stencil_spec *spec,
                                    const long *tile) {
    mer_array_check(prototype, "mer_stencil_create");
    mer_call_begin(MER_CALL_STENCIL, prototype->number, 0, spec ? digest_of(prototype->g, spec) : 0);
    mer_barrier_check_outside("mer_stencil_create");
    if (!spec)
        mer_call_fatal("the description is a null pointer");
    check_spec(prototype->g, spec);
    struct mer_stencil *s = calloc(1, sizeof *s);
    size_t n = (size_t)spec->terms + 1;
    if (s) {
        s->term = calloc(n, sizeof *s->term);
        s->coefficient = calloc(n, sizeof *s->coefficient);
        s->offset = calloc(n, sizeof *s->offset);
        s->at = calloc(n, sizeof *s->at);
        s->pass = calloc(n, sizeof *s->pass);
    }
    if (!s || !s->term || !s->coefficient || !s->offset || !s->at || !s->pass)
        mer_call_fatal("no memory for a stencil of %d terms", spec->terms);
    s->g = prototype->g;
    s->terms = spec->terms;
    s->rows = spec->rows;
    s->tile = spec->kernel ? spec->kernel->tile : NULL;
    s->context = spec->context;
    take_terms(s, spec);
    for (int k = 0; k < s->g->rank; k++)
        s->step[k] = s->g->stride[k] / (ptrdiff_t)s->g->size;
    find_radius(s, spec);
    take_sums(s);
    take_reassociated(s, spec);
    settle_steps(s, spec);
    if (tile) {
        s->skews = true;
        memcpy(s->skewed_tile, tile, sizeof s->skewed_tile);
    }
    bool sums = s->terms > 0 && s->terms <= MER_ROW_TERMS;
    s->large = 2 * s->g->bytes > (size_t)mer_cache_bytes(3);
    s->streamed = sums && !s->two_levels ? mer_row_streamed(s->g->type, s->terms) : NULL;
    s->kept = sums ? mer_row_kept(s->g->type, s->terms) : NULL;
    s->keeps_later = mer_vectors() == MER_VECTORS_AVX512;
    take_unrolled(s);
    take_planes(s);
    for (int d = 1; d < s->g->rank; d++)
        s->front += s->radius[mer_geometry_axis(s->g, d)] * s->g->stride[mer_geometry_axis(s->g, d)];
    make_halo(s, spec, s->corners || s->steps > 1);
    return s;
}

mer_stencil *mer_stencil_create(const mer_array *prototype, const struct mer_stencil_spec *spec) {
    return mer_stencil_create_cut(prototype, spec, NULL);
}

/* Keeps the descriptor until MER_FREED_KNOWN other stencils have been freed. */
static void forget(struct mer_stencil *s) {
    static struct mer_freed freed;
    s->g = NULL;
    free(mer_freed_keep(&freed, s));
}

void mer_stencil_free(mer_stencil *s) {
    if (!s)
        return;
    check(s, "mer_stencil_free");
    mer_call_begin(MER_CALL_STENCIL_FREE, 0, 0, 0);
    mer_call_barrier();
    check_idle(s);
    mer_halo_free(s->halo);
    free(s->term);
    free(s->coefficient);
    free(s->offset);
    free(s->at);
    free(s->pass);
    mer_unrolled_free(s->planes);
    mer_unrolled_free(s->unrolled);
    free(s->reassociated);
    forget(s);
}
