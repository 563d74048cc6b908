/* Several rows at a time, see unroll.h.
 *
 * A plan is a list of operations.  Each loads a few consecutive vectors of a row of u, and adds their product
 * with a coefficient to the sums of some consecutive rows of out.  A plan is made once for each number of
 * rows.  For every group of columns, whose sums are in registers meanwhile, it runs as machine code (code.c)
 * or is interpreted.  The ends of rows, which are no whole group, are always interpreted.
 *
 * Every row adds its terms in their order, as the loops of rows.c do, so that the results are the same to the
 * last bit.  Sums begin with -0, so that the first term is added unchanged. */
#include "array/stencil/unroll.h"

#include "array/layout/cache.h"
#include "array/stencil/code.h"
#include "array/layout/processor.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST MER_PLAN_ROWS

/* KIND(first, end): add to the sums of rows first ... end - 1.  SAME: all with the factor of the first. */
#define KIND(first, end) ((first)*MOST + (end)-1)
#define SAME (MOST * MOST)

struct mer_unrolled {
    enum mer_type type;
    const struct loops *loops;
    int products; /* of MOST rows */
    ptrdiff_t next;
    uint64_t held;              /* distances at which stores past the caches hold up the loads (cache.h) */
    struct mer_codes *codes;    /* or null */
    struct mer_plan plan[MOST]; /* for 1 ... MOST rows */
    struct mer_operation operation[];
};

/* ---- plans --------------------------------------------------------------------------------------------- */

/* The state while a plan is made. */
struct maker {
    int rows, terms;
    const struct mer_term *term;
    const ptrdiff_t *offset;
    ptrdiff_t next;
    int added[MOST]; /* terms of each row that have been added */
};

static bool is_at(const struct maker *m, int row, int t, ptrdiff_t at, bool old) {
    return m->offset[t] + row * m->next == at && (m->term[t].old != 0) == old;
}

/* Returns how many rows add the element at this place as their next term; 0 if a row needs it only later. */
static int sharers(const struct maker *m, ptrdiff_t at, bool old) {
    int now = 0;
    for (int r = 0; r < m->rows; r++) {
        int t = m->added[r];
        if (t < m->terms && is_at(m, r, t, at, old)) {
            now++;
            continue;
        }
        for (; t < m->terms; t++)
            if (is_at(m, r, t, at, old))
                return 0;
    }
    return now;
}

/* Returns the row whose next term is added next: preferably a term whose element all rows that need it can
 * add now. */
static int choose(const struct maker *m) {
    int best = -1, most = -1;
    for (int r = 0; r < m->rows; r++) {
        int t = m->added[r];
        if (t == m->terms)
            continue;
        int n = sharers(m, m->offset[t] + r * m->next, m->term[t].old);
        if (n > most) {
            best = r;
            most = n;
        }
    }
    return best;
}

/* Makes the next operations, which add the chosen element to each stretch of rows that add it now.  Returns
 * their number. */
static int take(struct maker *m, struct mer_operation *o) {
    int row = choose(m), count = 0;
    const struct mer_term *term = &m->term[m->added[row]];
    ptrdiff_t at = m->offset[m->added[row]] + row * m->next;
    bool old = term->old;
    for (int r = 0; r < m->rows; r++) {
        int first = r;
        struct mer_operation *now = &o[count];
        bool same = true;
        for (; r < m->rows && m->added[r] < m->terms && is_at(m, r, m->added[r], at, old); r++) {
            now->factor[r] = m->term[m->added[r]++].coefficient;
            same = same && now->factor[r] == now->factor[first];
        }
        if (r == first)
            continue;
        now->at = at;
        now->old = old;
        now->first = first;
        now->end = r;
        now->kind = KIND(first, r) + (same && r - first > 1 ? SAME : 0);
        count++;
    }
    return count;
}

static int make(struct mer_operation *o, struct maker m) {
    int count = 0;
    for (bool more = true; more;) {
        count += take(&m, o + count);
        more = false;
        for (int r = 0; r < m.rows; r++)
            more = more || m.added[r] < m.terms;
    }
    return count;
}

bool mer_unrolled_shares(const struct mer_unrolled *p) { return p->plan[MOST - 1].count < p->products; }

bool mer_unrolled_coded(const struct mer_unrolled *p) { return p->codes != NULL; }

/* Returns the distances at which rows are put together in a buffer first.  None with AVX-512, for which
 * direct stores are faster at every distance. */
static uint64_t find_held(enum mer_vectors vectors, const struct mer_plan *plan, ptrdiff_t next) {
    uint64_t held = 0;
    for (int i = 0; i < plan->count && vectors == MER_VECTORS_AVX2; i++)
        for (int r = 0; r < MOST; r++)
            held |= mer_stream_held(plan->operation[i].at - r * next);
    return held;
}

/* ---- running ------------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
/* Columns of `rows' rows, whose sums a plan computes and stores at `out'. */
struct group {
    const struct mer_plan *plan;
    char *out;
    const char *u, *old;
    ptrdiff_t out_next, next;
    int rows;
    long n; /* columns of a group that is not whole */
    bool stream;
};

/* Returns the mask of the elements of vector k in a group of n elements. */
__attribute__((always_inline)) static inline unsigned mask_of(long n, int k, long lanes) {
    long left = n - (long)k * lanes;
    return left >= lanes ? ~0U : left <= 0 ? 0 : (1U << left) - 1;
}

#define LOOPS "array/stencil/unroll_loops.h"
#define COLUMNS_AVX2 2
#include "array/stencil/vectors.h"

#define BUFFER (MER_UNROLL_PART + 5 * LINE) /* bytes for a row; the next row lies in other cache sets */

/* The loops for a length of vectors and a type. */
struct loops {
    void (*row)(struct group g, const struct mer_unroll_at *at);
    void (*stream_row)(char *to, const char *from, size_t n);
};

static const struct loops *loops_of(enum mer_vectors vectors, enum mer_type type) {
    static const struct loops floats[] = {
        {NULL, NULL}, {row_float_avx2, stream_row_float_avx2}, {row_float_avx512, stream_row_float_avx512}};
    static const struct loops doubles[] = {{NULL, NULL},
                                           {row_double_avx2, stream_row_double_avx2},
                                           {row_double_avx512, stream_row_double_avx512}};
    return type == MER_FLOAT32 ? &floats[vectors] : &doubles[vectors];
}

struct mer_unrolled *mer_unrolled_new(enum mer_type type, int terms, const struct mer_term *term,
                                      const ptrdiff_t *offset, ptrdiff_t next) {
    size_t all = (size_t)terms * MOST * (MOST + 1) / 2;
    enum mer_vectors vectors = mer_vectors();
    struct mer_unrolled *p = NULL;
    if (vectors != MER_VECTORS_BASE)
        p = calloc(1, sizeof *p + all * sizeof *p->operation);
    if (!p)
        return NULL;
    p->type = type;
    p->loops = loops_of(vectors, type);
    p->products = MOST * terms;
    p->next = next;
    struct mer_operation *o = p->operation;
    for (int rows = 1; rows <= MOST; rows++) {
        struct mer_plan *plan = &p->plan[rows - 1];
        plan->operation = o;
        plan->count = make(o, (struct maker){rows, terms, term, offset, next, {0}});
        o += plan->count;
    }
    p->held = find_held(vectors, &p->plan[MOST - 1], next);
    p->codes = mer_codes_new(vectors, type, p->plan, next);
    return p;
}

static long size_of(const struct mer_unrolled *p) {
    return p->type == MER_FLOAT32 ? (long)sizeof(float) : (long)sizeof(double);
}

/* Runs whole groups by machine code.  No structure is copied on the way: one load of bytes that two stores
 * have just written takes as long as a hundred sums. */
static void run_code(const struct mer_unrolled *p, const struct group *g, const struct mer_unroll_at *at,
                     long times) {
    enum mer_code_fetches fetches = at->ahead_made ? MER_CODE_AHEAD_AND_MADE
                                    : at->ahead    ? MER_CODE_AHEAD
                                                   : MER_CODE_NOTHING;
    struct mer_code_at code = {.u = g->u,
                               .old = g->old,
                               .out = g->out,
                               .out_next = g->out_next,
                               .times = times,
                               .ahead = g->u + at->ahead,
                               .made = g->out + at->ahead_made,
                               .stream = g->stream};
    mer_codes_of(p->codes, g->rows, fetches)(&code);
}

/* Computes the rows of a group, of either type. */
static void run_group(const struct mer_unrolled *p, const struct group *g, const struct mer_unroll_at *at) {
    long size = size_of(p), columns = p->codes ? mer_codes_columns(p->codes) : 1;
    long times = p->codes ? at->n * size / columns : 0, bytes = times * columns;
    if (times)
        run_code(p, g, at, times);
    if (at->n * size == bytes)
        return;
    struct group rest = *g;
    struct mer_unroll_at tail = *at;
    tail.n -= bytes / size;
    rest.u += bytes;
    rest.old += bytes;
    rest.out += bytes;
    p->loops->row(rest, &tail);
}

/* Prefetches the first and last line of a row.  These are stored as usual if the row has only a part of them,
 * and so read first; requested before the row's sums, they are there when it is stored. */
__attribute__((always_inline)) static inline void fetch_ends(const char *to, size_t n) {
    __builtin_prefetch(to, 1, 3);
    __builtin_prefetch(to + n - 1, 1, 3);
}

/* Runs rows whose lines begin at the same columns.  Elements before the first line are stored as usual. */
static void run_alike(const struct mer_unrolled *p, struct group g, const struct mer_unroll_at *at) {
    struct mer_unroll_at part = *at;
    long size = size_of(p), first = (long)(-(uintptr_t)g.out & (LINE - 1)) / size, bytes = first * size;
    part.n = first < at->n ? first : at->n;
    if (part.n > 0)
        run_group(p, &g, &part);
    if (part.n == at->n)
        return;
    part.n = at->n - first;
    g.out += bytes;
    g.u += bytes;
    g.old += bytes;
    g.stream = true;
    run_group(p, &g, &part);
}

/* Stores past the caches have to be of whole, aligned lines.  Rows whose lines begin at different columns are
 * put together in the first-level cache first, as are rows whose stores would hold up loads. */
static void run_streamed(const struct mer_unrolled *p, struct group *g, const struct mer_unroll_at *at) {
    static _Alignas(LINE) char row[MOST][BUFFER];
    size_t bytes = (size_t)(at->n * size_of(p));
    char *out = g->out;
    g->out = row[0];
    g->out_next = BUFFER;
    for (int r = 0; r < g->rows; r++)
        fetch_ends(out + r * p->next, bytes);
    run_group(p, g, at);
    for (int r = 0; r < g->rows; r++)
        p->loops->stream_row(out + r * p->next, row[r], bytes);
    g->out = out;
    g->out_next = p->next;
}

void mer_unrolled_free(struct mer_unrolled *p) {
    if (p)
        mer_codes_free(p->codes);
    free(p);
}

void mer_unrolled_run(const struct mer_unrolled *p, const struct mer_unroll_at *at) {
    bool alike = p->next % LINE == 0 && !mer_stream_holds(p->held, at->u, at->out);
    struct group g = {.out = at->out,
                      .u = at->u,
                      .out_next = p->next,
                      .next = p->next,
                      .stream = at->stream && alike && (uintptr_t)at->out % LINE == 0};
    for (long row = 0; row < at->rows; row += g.rows) {
        g.rows = at->rows - row < MOST ? (int)(at->rows - row) : MOST;
        g.plan = &p->plan[g.rows - 1];
        g.old = g.out;
        if (!at->stream || g.stream)
            run_group(p, &g, at);
        else if (alike)
            run_alike(p, g, at);
        else
            run_streamed(p, &g, at);
        g.out += g.rows * p->next;
        g.u += g.rows * p->next;
    }
}
#else
struct mer_unrolled *mer_unrolled_new(enum mer_type type, int terms, const struct mer_term *term,
                                      const ptrdiff_t *offset, ptrdiff_t next) {
    (void)type, (void)terms, (void)term, (void)offset, (void)next, (void)make, (void)find_held;
    return NULL;
}
void mer_unrolled_free(struct mer_unrolled *p) { (void)p; }
void mer_unrolled_run(const struct mer_unrolled *p, const struct mer_unroll_at *at) { (void)p, (void)at; }
#endif
