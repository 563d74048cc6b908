/* Several rows at a time, see unroll.h.
 *
 * A plan is a list of operations.  Each loads a few vectors that follow each other in a row of u, and adds
 * their product with a coefficient to the sums of some consecutive rows of out.  It is made once for each
 * number of rows, and as machine code (code.c), or gone through, for every group of columns, whose sums are
 * in registers meanwhile.  Ends of rows, which are no whole group, are always gone through.
 *
 * Every row adds its terms in their order, as the loops of rows.c do, so that the results are the same to the
 * last bit.  Sums begin with -0, to which adding a number gives that number. */
#include "array/unroll.h"

#include "array/cache.h"
#include "array/code.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST MER_PLAN_ROWS

/* KIND(first, end): add to the sums of rows first ... end - 1.  SAME: all by the factor of the first. */
#define KIND(first, end) ((first)*MOST + (end)-1)
#define SAME (MOST * MOST)

struct mer_unrolled {
    enum mer_type type;
    int products; /* of MOST rows */
    ptrdiff_t next;
    struct mer_codes *codes;    /* or null */
    struct mer_plan plan[MOST]; /* for 1 ... MOST rows */
    struct mer_operation operation[];
};

/* ---- plans --------------------------------------------------------------------------------------------- */

/* While a plan is made. */
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

/* How many rows add the element at this place now; none, if one will need it later only. */
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

/* The row whose next term is added next: best of all a term that all rows which need its element can add. */
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

/* The next operations: the chosen element to each stretch of rows that add it now.  Gives how many. */
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

/* ---- running ------------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
#include "array/vectors.h"

struct mer_unrolled *mer_unrolled_new(enum mer_type type, int terms, const struct mer_term *term,
                                      const ptrdiff_t *offset, ptrdiff_t next) {
    size_t all = (size_t)terms * MOST * (MOST + 1) / 2;
    struct mer_unrolled *p = NULL;
    if (__builtin_cpu_supports("avx512f"))
        p = calloc(1, sizeof *p + all * sizeof *p->operation);
    if (!p)
        return NULL;
    p->type = type;
    p->products = MOST * terms;
    p->next = next;
    struct mer_operation *o = p->operation;
    for (int rows = 1; rows <= MOST; rows++) {
        struct mer_plan *plan = &p->plan[rows - 1];
        plan->operation = o;
        plan->count = make(o, (struct maker){rows, terms, term, offset, next, {0}});
        o += plan->count;
    }
    p->codes = mer_codes_new(type, p->plan, next);
    return p;
}

/* Columns of so many rows, of which the sums are made by a plan, stored where out is. */
struct group {
    const struct mer_plan *plan;
    char *out;
    const char *u, *old;
    ptrdiff_t out_next, next;
    int rows;
    long n; /* columns of a group that is not whole */
    bool stream;
};

#define BUFFER (MER_UNROLL_PART + 5 * LINE) /* bytes of a row's; the next one's lies in other cache sets */

/* Elements of vector k of a group of n. */
INLINE unsigned mask_of(long n, int k, int lanes) {
    long left = n - (long)k * lanes;
    return left >= lanes ? ~0U : left <= 0 ? 0 : (1U << left) - 1;
}

#define CASE(first, end)                                                                                     \
    case KIND(first, end):                                                                                   \
        ADD(first, end, false);                                                                              \
        break;                                                                                               \
    case SAME + KIND(first, end):                                                                            \
        ADD(first, end, true);                                                                               \
        break;

#define ALL_CASES                                                                                            \
    CASE(0, 1)                                                                                               \
    CASE(0, 2) CASE(0, 3) CASE(0, 4) CASE(1, 2) CASE(1, 3) CASE(1, 4) CASE(2, 3) CASE(2, 4) CASE(3, 4)

/* A group of `columns' vectors, all of them whole or not; what is inlined where these are constants. */
#define GROUP(T, V, LANES, MASK, load, store, stream_whole)                                                  \
    INLINE void add_##T(V s[MOST][COLUMNS], const V *x, const struct mer_operation *o, int columns,          \
                        int first, int end, bool same) {                                                     \
        V product[COLUMNS];                                                                                  \
        ALL for (int k = 0; k < columns; k++) product[k] = (T)o->factor[first] * x[k];                       \
        ALL for (int r = first; r < end; r++) {                                                              \
            T factor = (T)o->factor[r];                                                                      \
            ALL for (int k = 0; k < columns; k++) {                                                          \
                V own = factor * x[k];                                                                       \
                s[r][k] = s[r][k] + (same ? product[k] : own);                                               \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    INLINE void group_##T(const struct group *g, int columns, bool whole) {                                  \
        V s[MOST][COLUMNS], x[COLUMNS];                                                                      \
        MASK mask[COLUMNS];                                                                                  \
        ALL for (int k = 0; k < columns; k++) {                                                              \
            mask[k] = (MASK)mask_of(g->n, k, LANES);                                                         \
            ALL for (int r = 0; r < MOST; r++) s[r][k] = -(V){0};                                            \
        }                                                                                                    \
        const struct mer_operation *o = g->plan->operation, *end = o + g->plan->count;                       \
        const char *u = g->u, *old = g->old;                                                                 \
        for (; o < end; o++) {                                                                               \
            const T *p = (const T *)(const void *)((o->old ? old : u) + o->at);                              \
            ALL for (int k = 0; k < columns; k++) x[k] = whole ? *(const V *)(const void *)(p + k * LANES)   \
                                                               : (V)load(mask[k], p + k * LANES);            \
            switch (o->kind) { ALL_CASES }                                                                   \
        }                                                                                                    \
        ALL for (int r = 0; r < MOST; r++) {                                                                 \
            T *to = (T *)(void *)(g->out + r * g->out_next);                                                 \
            if (r < g->rows)                                                                                 \
                ALL for (int k = 0; k < columns; k++) {                                                      \
                    if (!whole)                                                                              \
                        store(to + k * LANES, mask[k], s[r][k]);                                             \
                    else if (g->stream)                                                                      \
                        stream_whole(to + k * LANES, s[r][k]);                                               \
                    else                                                                                     \
                        *(V *)(void *)(to + k * LANES) = s[r][k];                                            \
                }                                                                                            \
        }                                                                                                    \
    }                                                                                                        \
    __attribute__((target("avx512f"))) static void row_##T(struct group g, const struct mer_unroll_at *at) { \
        const long most = COLUMNS * LANES;                                                                   \
        for (long i = 0; i < at->n; i += most) {                                                             \
            fetch_group(&g, at);                                                                             \
            g.n = at->n - i;                                                                                 \
            if (g.n >= most)                                                                                 \
                group_##T(&g, COLUMNS, true);                                                                \
            else if (g.n > LANES)                                                                            \
                group_##T(&g, COLUMNS, false);                                                               \
            else                                                                                             \
                group_##T(&g, 1, false);                                                                     \
            g.u += most * (long)sizeof(T);                                                                   \
            g.old += most * (long)sizeof(T);                                                                 \
            g.out += most * (long)sizeof(T);                                                                 \
        }                                                                                                    \
    }
#define ADD(first, end, same) ADD_OF_TYPE(s, x, o, columns, first, end, same)

/* Prefetches what the groups of the rows behind these read: spread over the groups of these rows. */
INLINE void fetch_group(const struct group *g, const struct mer_unroll_at *at) {
    for (int r = 0; r < g->rows; r++)
        fetch_columns(g->u + r * g->next, g->out + r * g->out_next, at);
}

#define ADD_OF_TYPE add_double
GROUP(double, doubles, 8, __mmask8, _mm512_maskz_loadu_pd, _mm512_mask_storeu_pd, STREAM_DOUBLES)
#undef ADD_OF_TYPE
#define ADD_OF_TYPE add_float
GROUP(float, floats, 16, __mmask16, _mm512_maskz_loadu_ps, _mm512_mask_storeu_ps, STREAM_FLOATS)
#undef ADD_OF_TYPE

static long size_of(const struct mer_unrolled *p) {
    return p->type == MER_FLOAT32 ? (long)sizeof(float) : (long)sizeof(double);
}

/* Whole groups by code.  No structure is copied on the way: to load at once what has been stored in two parts
 * takes as long as a hundred sums. */
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

/* The rows of a group, whatever their type. */
static void run_group(const struct mer_unrolled *p, const struct group *g, const struct mer_unroll_at *at) {
    long size = size_of(p), times = p->codes ? at->n * size / (COLUMNS * LINE) : 0;
    long bytes = times * COLUMNS * LINE;
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
    if (p->type == MER_FLOAT32)
        row_float(rest, &tail);
    else
        row_double(rest, &tail);
}

/* As mer_stream_copy, by vectors of a line. */
__attribute__((target("avx512f"))) static void stream_row(char *to, const char *from, size_t n) {
    size_t first = -(uintptr_t)to & (LINE - 1);
    first = first < n ? first : n;
    memcpy(to, from, first);
    for (to += first, from += first, n -= first; n >= LINE; to += LINE, from += LINE, n -= LINE)
        _mm512_stream_si512((void *)to, _mm512_loadu_si512(from));
    memcpy(to, from, n);
}

/* The lines of which a row is but a part are stored as ever, and read first: asked for before the row's sums,
 * they are there when it is stored. */
__attribute__((always_inline)) static inline void fetch_ends(const char *to, size_t n) {
    __builtin_prefetch(to, 1, 3);
    __builtin_prefetch(to + n - 1, 1, 3);
}

/* Rows whose lines begin at the same columns: the elements in front of the first line are stored as ever. */
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

/* Whole lines can be stored past the caches only where they begin: rows for which that is at different
 * columns are put together in the first-level cache. */
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
        stream_row(out + r * p->next, row[r], bytes);
    g->out = out;
    g->out_next = p->next;
}

void mer_unrolled_free(struct mer_unrolled *p) {
    if (p)
        mer_codes_free(p->codes);
    free(p);
}

void mer_unrolled_run(const struct mer_unrolled *p, const struct mer_unroll_at *at) {
    bool alike = p->next % LINE == 0;
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
    (void)type, (void)terms, (void)term, (void)offset, (void)next, (void)make;
    return NULL;
}
void mer_unrolled_free(struct mer_unrolled *p) { (void)p; }
void mer_unrolled_run(const struct mer_unrolled *p, const struct mer_unroll_at *at) { (void)p, (void)at; }
#endif
