/* Stencils, see meridian/stencil.h.
 *
 * A step on a process: send the block's edges, compute what needs no halo, wait for the halo, set what faces
 * make, compute the rest.  Where an exchange serves s steps, the halo is s radii wide, and step j of the s
 * computes the block and s - 1 - j radii around it, which the neighbours compute too: more arithmetic for
 * fewer messages.
 *
 * Boxes are computed in tiles whose rows, with those that the stencil reaches, stay in the second-level
 * cache. */
#include "array/halo.h"
#include "array/rows.h"

#include <stdlib.h>
#include <string.h>

#define CACHE (256L << 10) /* bytes of a tile with what it reads */
#define LONGEST 4096 /* elements of a row at a time, so that passes over it stay in the first-level cache */

struct mer_stencil {
    const struct mer_geometry *g;
    int terms;
    struct mer_term *term;
    double *coefficient;
    ptrdiff_t *offset; /* bytes, of each term */
    mer_stencil_rows *rows;
    void *context;
    int radius[RANK];
    int steps;
    bool two_levels, absorbs;
    struct mer_halo *halo;
    mer_row **pass;       /* the loop of each MER_ROW_TERMS terms */
    const void **at;      /* the addresses of a row's terms */
    ptrdiff_t step[RANK]; /* elements */
};

/* ---- rows ---------------------------------------------------------------------------------------------- */

struct level {
    char *u, *out; /* the block's first element in the newest level, and in the one that is made */
    struct mer_box block;
};

/* n elements from offset `at' in both levels, in passes of MER_ROW_TERMS terms. */
static void sum_row(const struct mer_stencil *s, const struct level *l, ptrdiff_t at, long n) {
    const char *of[2] = {l->u + at, l->out + at};
    for (int t = 0; t < s->terms; t++)
        s->at[t] = of[s->term[t].old] + s->offset[t];
    for (int t = 0; t < s->terms; t += MER_ROW_TERMS)
        s->pass[t / MER_ROW_TERMS](l->out + at, s->at + t, s->coefficient + t, n);
}

static void row(const struct mer_stencil *s, const struct level *l, ptrdiff_t at, long n, long *index) {
    int fast = mer_geometry_axis(s->g, 0);
    long first = index[fast], part;
    for (long done = 0; done < n; done += part) {
        part = s->rows || n - done < LONGEST ? n - done : LONGEST;
        ptrdiff_t place = at + done * (ptrdiff_t)s->g->size;
        index[fast] = first + done;
        if (s->rows)
            s->rows(l->out + place, l->u + place, s->step, part, index, s->context);
        else
            sum_row(s, l, place, part);
    }
    index[fast] = first;
}

/* ---- boxes --------------------------------------------------------------------------------------------- */

/* The rows of a box, the axes from `d' on (counted from the fastest) being still to go through. */
static void rows_of(const struct mer_stencil *s, const struct level *l, const struct mer_box *box, int d,
                    ptrdiff_t at, long *index) {
    int k = mer_geometry_axis(s->g, d);
    ptrdiff_t start = at + (box->low[k] - l->block.low[k]) * s->g->stride[k];
    if (d == 0) {
        index[k] = box->low[k];
        row(s, l, start, box->high[k] - box->low[k], index);
        return;
    }
    for (long i = box->low[k]; i < box->high[k]; i++, start += s->g->stride[k]) {
        index[k] = i;
        rows_of(s, l, box, d - 1, start, index);
    }
}

static bool empty(const struct mer_geometry *g, const struct mer_box *box) {
    for (int k = 0; k < g->rank; k++)
        if (box->high[k] <= box->low[k])
            return true;
    return false;
}

/* In tiles along the second-fastest axis, if there is a slower one, and the rows that a row needs are too
 * many. */
static void compute(const struct mer_stencil *s, const struct level *l, const struct mer_box *box) {
    const struct mer_geometry *g = s->g;
    long index[RANK] = {0};
    if (empty(g, box))
        return;
    if (g->rank < 3) {
        rows_of(s, l, box, g->rank - 1, 0, index);
        return;
    }
    int fast = mer_geometry_axis(g, 0), next = mer_geometry_axis(g, 1), slow = mer_geometry_axis(g, 2);
    long bytes = (box->high[fast] - box->low[fast]) * (long)g->size * (2 * s->radius[slow] + 2);
    long tile = CACHE / bytes - 2 * s->radius[next];
    tile = tile < 4 ? 4 : tile;
    for (long i = box->low[next]; i < box->high[next]; i += tile) {
        struct mer_box part = *box;
        part.low[next] = i;
        part.high[next] = i + tile < box->high[next] ? i + tile : box->high[next];
        rows_of(s, l, &part, g->rank - 1, 0, index);
    }
}

/* The block's elements that need no halo. */
static struct mer_box inner(const struct mer_stencil *s, const struct mer_box *block) {
    struct mer_box box = *block;
    for (int k = 0; k < s->g->rank; k++) {
        box.low[k] += s->radius[k];
        box.high[k] -= s->radius[k];
    }
    if (empty(s->g, &box))
        memcpy(box.high, box.low, sizeof box.high);
    return box;
}

/* `all' without `done', which lies in it: slabs along each axis in turn. */
static void compute_around(const struct mer_stencil *s, const struct level *l, struct mer_box all,
                           const struct mer_box *done) {
    if (empty(s->g, done)) {
        compute(s, l, &all);
        return;
    }
    for (int k = 0; k < s->g->rank; k++) {
        struct mer_box low = all, high = all;
        low.high[k] = done->low[k];
        high.low[k] = done->high[k];
        compute(s, l, &low);
        compute(s, l, &high);
        all.low[k] = done->low[k];
        all.high[k] = done->high[k];
    }
}

/* ---- running ------------------------------------------------------------------------------------------- */

/* The block and `radii' radii around it, as far as the array goes or wraps. */
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

/* One exchange and `count' steps; l is left with the newest level as u. */
static void together(struct mer_stencil *s, struct level *l, int count, bool any, uint64_t digest) {
    mer_halo_start(s->halo, l->u, digest);
    struct mer_box done = inner(s, &l->block);
    if (any)
        compute(s, l, &done);
    mer_halo_finish(s->halo, l->u, digest);
    for (int j = 0; j < count; j++) {
        if (any) {
            struct mer_box box = grown(s, &l->block, count - 1 - j);
            mer_halo_faces(s->halo, l->u, l->out, &box, s->radius);
            compute_around(s, l, box, &done);
        }
        memcpy(done.high, done.low, sizeof done.high);
        char *made = l->out;
        l->out = l->u;
        l->u = made;
    }
}

mer_array *mer_stencil_run(mer_stencil *s, mer_array *u, mer_array *old, long steps) {
    mer_array_check(u, "mer_stencil_run");
    mer_array_check(old, "mer_stencil_run");
    if (!s)
        mer_fatal("mer_stencil_run: the stencil is a null pointer");
    uint64_t digest = mer_call_begin(MER_CALL_STENCIL_RUN, u->number, old->number, (uint64_t)steps);
    mer_array_check_alike(u, old);
    if (u->g != s->g)
        mer_call_fatal("the arrays have not the type, shape and layout of the stencil's prototype");
    if (u == old || steps < 0)
        mer_call_fatal(u == old ? "the two levels are one array" : "%ld steps", steps);
    struct level l = {.u = u->local, .out = old->local};
    bool any = mer_halo_block(s->g, &l.block);
    if (s->absorbs) { /* faces look at the halo of the level before too */
        mer_halo_start(s->halo, l.out, digest);
        mer_halo_finish(s->halo, l.out, digest);
    }
    for (long left = steps; left > 0;) {
        int count = left < s->steps ? (int)left : s->steps;
        together(s, &l, count, any, digest);
        left -= count;
    }
    return steps % 2 ? old : u;
}

int mer_stencil_steps(const mer_stencil *stencil) { return stencil->steps; }

/* ---- making -------------------------------------------------------------------------------------------- */

static void check_spec(const struct mer_geometry *g, const struct mer_stencil_spec *spec) {
    bool sums = g->type == MER_FLOAT32 || g->type == MER_FLOAT64;
    if (spec->rows ? spec->terms != 0 : spec->terms < 1 || !spec->term)
        mer_call_fatal("a stencil has either terms or a function; it has %d terms%s", spec->terms,
                       spec->rows ? " and a function" : "");
    if (!spec->rows && !sums)
        mer_call_fatal("a stencil of terms is for float32 and float64, not for %s", mer_type_name(g->type));
    for (int k = 0; k < g->rank; k++)
        for (int side = 0; side < 2; side++) {
            const struct mer_face *f = &spec->face[k][side];
            if ((unsigned)f->kind > MER_ABSORBING)
                mer_call_fatal("a face of axis %d is of the kind %d, which there is not", k, (int)f->kind);
            if ((f->kind == MER_PERIODIC) != (spec->face[k][!side].kind == MER_PERIODIC))
                mer_call_fatal("one face of axis %d is periodic, the other one is not", k);
            if (!sums && (f->kind == MER_ABSORBING || (f->kind == MER_VALUE && f->value != 0)))
                mer_call_fatal("a face of axis %d is of a kind for float32 and float64 only", k);
            if (f->kind == MER_ABSORBING && !(f->value > 0))
                mer_call_fatal("the absorbing face of axis %d has the Courant number %g", k, f->value);
        }
}

/* Those of the level before come first, into the first pass, which still finds it. */
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
            mer_call_fatal("%d terms are of the level before; %d are the most", n, MER_ROW_TERMS);
    }
    for (int t = 0; t < n; t += MER_ROW_TERMS)
        s->pass[t / MER_ROW_TERMS] = mer_row_of(s->g->type, n - t < MER_ROW_TERMS ? n - t : MER_ROW_TERMS,
                                                t > 0);
}

static bool find_radius(struct mer_stencil *s, const struct mer_stencil_spec *spec) {
    bool corners = spec->rows != NULL;
    if (spec->rows)
        memcpy(s->radius, spec->radius, sizeof s->radius);
    for (int t = 0; t < s->terms; t++) {
        int axes = 0;
        for (int k = 0; k < s->g->rank; k++) {
            int o = abs(s->term[t].offset[k]);
            axes += o != 0;
            s->radius[k] = o > s->radius[k] ? o : s->radius[k];
            s->offset[t] += s->term[t].offset[k] * s->g->stride[k];
        }
        if (s->term[t].old && axes)
            mer_call_fatal("term %d is of the level before, at an offset; only the element itself is there",
                           t);
        s->two_levels = s->two_levels || s->term[t].old;
        corners = corners || axes > 1;
    }
    return corners;
}

static int absorbing_faces(const struct mer_geometry *g, const struct mer_stencil_spec *spec) {
    int n = 0;
    for (int k = 0; k < g->rank; k++)
        n += (spec->face[k][0].kind == MER_ABSORBING) + (spec->face[k][1].kind == MER_ABSORBING);
    return n;
}

/* How many steps an exchange is to serve.  A step's cost, by a model in nanoseconds: what an exchange costs,
 * shared among them, and the elements that are computed, on average over the steps. */
static int choose_steps(const struct mer_stencil *s, int most, bool remote) {
    double exchange = remote ? 30000 : mer_job.here > mer_here.cores ? 20000 : 1500, least = 0;
    double element = 0.15 * (s->terms ? s->terms : 8);
    int best = 1;
    for (int n = 1; n <= most; n++) {
        double elements = 0;
        for (int j = 0; j < n; j++) {
            double box = 1;
            for (int k = 0; k < s->g->rank; k++)
                box *= (double)s->g->block[k] + (s->g->processes[k] > 1 ? 2.0 * j * s->radius[k] : 0);
            elements += box / n;
        }
        double cost = exchange / n + element * elements;
        if (n == 1 || cost < least) {
            least = cost;
            best = n;
        }
    }
    return best;
}

static void settle_steps(struct mer_stencil *s, const struct mer_stencil_spec *spec, bool rows) {
    int most = 64, divided = 0;
    for (int k = 0; k < s->g->rank; k++) {
        divided += s->g->processes[k] > 1;
        if (s->radius[k] < 0 || s->radius[k] > s->g->halo[k])
            mer_call_fatal("the stencil reaches %d elements along axis %d, but the arrays' halo is %d",
                           s->radius[k], k, s->g->halo[k]);
        if (s->radius[k] > s->g->extent[k])
            mer_call_fatal("the stencil reaches %d elements along axis %d, which has %ld", s->radius[k], k,
                           s->g->extent[k]);
        if (s->radius[k] && s->g->halo[k] / s->radius[k] < most)
            most = s->g->halo[k] / s->radius[k];
    }
    s->absorbs = absorbing_faces(s->g, spec) > 0;
    bool single = s->two_levels || rows || s->absorbs;
    if (spec->steps < 0 || spec->steps > most || (spec->steps > 1 && (s->two_levels || s->absorbs)))
        mer_call_fatal("%d steps an exchange: the halo is wide enough for %d%s", spec->steps, most,
                       single ? ", and stencils of two levels or with absorbing faces take one" : "");
    s->steps = spec->steps ? spec->steps : single || !divided ? 1 : choose_steps(s, most, mer_job.has_remote);
}

mer_stencil *mer_stencil_create(const mer_array *prototype, const struct mer_stencil_spec *spec) {
    mer_array_check(prototype, "mer_stencil_create");
    uint64_t digest = spec ? mer_call_digest((uint64_t)spec->terms, (uint64_t)spec->steps) : 0;
    for (int t = 0; spec && t < spec->terms && spec->term; t++)
        for (int k = 0; k < RANK; k++)
            digest = mer_call_digest(digest, (uint64_t)spec->term[t].offset[k]);
    mer_call_begin(MER_CALL_STENCIL, prototype->number, 0, digest);
    mer_barrier_check_outside("mer_stencil_create");
    if (!spec)
        mer_call_fatal("there is no description");
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
    s->context = spec->context;
    take_terms(s, spec);
    for (int k = 0; k < s->g->rank; k++)
        s->step[k] = s->g->stride[k] / (ptrdiff_t)s->g->size;
    bool corners = find_radius(s, spec);
    settle_steps(s, spec, spec->rows != NULL);
    int width[RANK];
    struct mer_face face[RANK][2];
    memcpy(face, spec->face, sizeof face);
    for (int k = 0; k < RANK; k++)
        width[k] = s->radius[k] * s->steps;
    s->halo = mer_halo_new(s->g, width, corners || s->steps > 1, face);
    return s;
}

void mer_stencil_free(mer_stencil *s) {
    if (!s)
        return;
    mer_call_begin(MER_CALL_STENCIL_FREE, 0, 0, 0);
    mer_call_barrier();
    mer_halo_free(s->halo);
    free(s->term);
    free(s->coefficient);
    free(s->offset);
    free(s->at);
    free(s->pass);
    free(s);
}
