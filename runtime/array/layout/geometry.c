/* The geometry manager, see geometry.h.
 *
 * The grid.  The number of threads is written as a product over the axes that may be divided.  Candidates are
 * the products whose blocks have at most an eighth more elements than the smallest possible blocks.  The
 * manager chooses the candidate with the least weighted surface of a block: the sum, over the divided axes,
 * of weight times elements of a face.  That is the traffic of shifts by one, and for equal weights makes a
 * block's axes equally long, as the paper requires.  Of equals, it chooses the one with longer rows in
 * memory.
 */
#include "array/layout/geometry.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

static char complaint[256];
#define COMPLAIN(...) (snprintf(complaint, sizeof complaint, __VA_ARGS__), complaint)

/* ---- the order of blocks ------------------------------------------------------------------------------- */

static int least_factor(int p) {
    for (int f = 2; f * f <= p; f++)
        if (p % f == 0)
            return f;
    return p;
}

int mer_geometry_news(int i, int p) {
    if (p <= 1)
        return i;
    int rest = p / least_factor(p), digit = i / rest, within = i % rest;
    return digit * rest + mer_geometry_news(digit % 2 ? rest - 1 - within : within, rest);
}

int mer_geometry_news_back(int code, int p) {
    if (p <= 1)
        return code;
    int rest = p / least_factor(p), digit = code / rest, within = mer_geometry_news_back(code % rest, rest);
    return digit * rest + (digit % 2 ? rest - 1 - within : within);
}

int mer_geometry_thread(const struct mer_geometry *g, const int place[RANK]) {
    int thread = 0;
    for (int k = 0; k < g->rank; k++)
        thread += g->step[k] *
                  (g->axis_order[k] == MER_SEND ? place[k] : mer_geometry_news(place[k], g->processes[k]));
    return thread;
}

bool mer_geometry_place(const struct mer_geometry *g, int thread, int place[RANK]) {
    for (int k = 0; k < g->rank; k++) {
        int p = g->processes[k], code = thread / g->step[k] % p;
        place[k] = g->axis_order[k] == MER_SEND ? code : mer_geometry_news_back(code, p);
    }
    return mer_geometry_thread(g, place) == thread;
}

/* Returns how many blocks of the fixed length of an axis hold the axis; 1 if no length is fixed. */
static long blocks_of(const struct mer_geometry *g, int k) {
    return g->block[k] ? (g->extent[k] + g->block[k] - 1) / g->block[k] : 1;
}

static const char *too_many(const struct mer_geometry *g, int k, int blocks) {
    return COMPLAIN("axis %d has %ld elements, more than %d block%s of %ld hold%s", k, g->extent[k], blocks,
                    blocks == 1 ? "" : "s", g->block[k], blocks == 1 ? "s" : "");
}

/* ---- the grid ------------------------------------------------------------------------------------------ */

struct search {
    const struct mer_geometry *g;
    const double *weight;
    bool wish[RANK]; /* the spec gives the number of processes */
    int grid[RANK];
    double limit; /* most elements of a candidate's block; 0 in the first pass, which finds the least */
    double elements, surface, rows;
    int best[RANK];
    bool found;
};

static double block_of(const struct search *s, int k) {
    long e = s->g->extent[k], p = s->grid[k];
    return s->g->block[k] ? (double)s->g->block[k] : (double)((e + p - 1) / p);
}

/* Longer rows in memory are better if surfaces are equal: slow axes count little. */
static double row_length(const struct search *s) {
    double value = 0;
    for (int i = 0; i < s->g->rank; i++)
        value = value / 65536 + block_of(s, mer_geometry_axis(s->g, s->g->rank - 1 - i));
    return value;
}

static void consider(struct search *s) {
    double elements = 1, surface = 0;
    for (int k = 0; k < s->g->rank; k++)
        elements *= block_of(s, k);
    if (s->limit == 0) {
        if (!s->found || elements < s->elements)
            s->elements = elements;
        s->found = true;
        return;
    }
    if (elements > s->limit)
        return;
    for (int k = 0; k < s->g->rank; k++)
        if (s->grid[k] > 1)
            surface += s->weight[k] * elements / block_of(s, k);
    double rows = row_length(s);
    if (s->found && (surface > s->surface || (surface == s->surface && rows <= s->rows)))
        return;
    s->found = true;
    s->surface = surface;
    s->rows = rows;
    memcpy(s->best, s->grid, sizeof s->best);
}

/* Divide `left' processes among axes k, k + 1, ... in all ways, and consider each.  An axis of fixed block
 * length needs as many processes as hold it. */
static void divide(struct search *s, int k, int left) {
    while (k < s->g->rank && s->wish[k])
        k++;
    if (k == s->g->rank) {
        if (left == 1)
            consider(s);
        return;
    }
    for (long p = blocks_of(s->g, k); p <= left; p++)
        if (left % p == 0) {
            s->grid[k] = (int)p;
            divide(s, k + 1, left / (int)p);
        }
    s->grid[k] = 1;
}

/* For the case that no grid of exactly *left processes has room for all blocks of fixed length: their axes
 * get as few processes as hold them, and the other axes may divide the remaining *left; processes that are
 * left over have no part. */
static const char *fix_blocks(struct search *s, int *left) {
    const struct mer_geometry *g = s->g;
    bool others = false;
    for (int k = 0; k < g->rank; k++) {
        long least = blocks_of(g, k);
        others |= !s->wish[k] && !g->block[k];
        if (s->wish[k] || !g->block[k])
            continue;
        if (least > *left)
            return too_many(g, k, *left);
        s->wish[k] = true;
        s->grid[k] = (int)least;
        *left /= (int)least;
    }
    *left = others ? *left : 1;
    divide(s, 0, *left);
    return NULL;
}

/* Fill g->processes. */
static const char *choose_grid(struct mer_geometry *g, const struct mer_array_spec *spec, int threads) {
    double weight[RANK];
    struct search s = {.g = g, .weight = weight};
    int wished = 1, undecided = 0;
    for (int k = 0; k < g->rank; k++) {
        const struct mer_axis *a = &spec->axis[k];
        weight[k] = a->weight == 0 ? 1 : a->weight;
        if (!(weight[k] > 0) || weight[k] > DBL_MAX)
            return COMPLAIN("axis %d has the weight %g, but weights are positive numbers", k, a->weight);
        if (a->processes < 0 || (a->serial && a->processes > 1))
            return COMPLAIN("axis %d %s %d processes", k,
                            a->serial ? "is serial and cannot be distributed over"
                                      : "cannot be distributed over",
                            a->processes);
        s.wish[k] = a->serial || a->processes > 0;
        s.grid[k] = a->processes > 0 ? a->processes : 1;
        undecided += !s.wish[k];
        if (__builtin_mul_overflow(wished, s.grid[k], &wished) || wished > threads)
            return COMPLAIN("the axes are distributed over more processes than the job has, %d", threads);
    }
    if (undecided && threads % wished)
        return COMPLAIN("some axes are distributed over %d processes, which does not divide the number of "
                        "processes of the job, %d",
                        wished, threads);
    if (undecided) {
        int left = threads / wished;
        divide(&s, 0, left);
        const char *wrong = s.found ? NULL : fix_blocks(&s, &left);
        if (wrong)
            return wrong;
        s.limit = s.elements * 1.125;
        s.found = false;
        divide(&s, 0, left);
        memcpy(s.grid, s.best, sizeof s.grid);
    }
    memcpy(g->processes, s.grid, (size_t)g->rank * sizeof *s.grid);
    return NULL;
}

/* Sets the steps of threads from block to block: the axis that is fastest in memory is fastest here. */
static void number_blocks(struct mer_geometry *g) {
    int step = 1;
    for (int i = 0; i < g->rank; i++) {
        int k = mer_geometry_axis(g, i);
        g->step[k] = step;
        step *= g->processes[k];
    }
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

static const char *follow(struct mer_geometry *g, const struct mer_array_spec *spec,
                          const struct mer_geometry *to) {
    bool taken[RANK] = {false};
    for (int k = 0; k < g->rank; k++) {
        int m = spec->axis[k].follows ? spec->axis[k].follows - 1 : k;
        if (m < 0 || m >= to->rank || taken[m])
            return COMPLAIN("axis %d is aligned with axis %d, which %s", k, m,
                            m >= 0 && m < to->rank ? "another axis is aligned with as well"
                                                   : "does not exist");
        taken[m] = true;
        g->processes[k] = to->processes[m];
        g->block[k] = to->block[m];
        g->step[k] = to->step[m];
        g->serial[k] = to->serial[m];
        g->axis_order[k] = to->axis_order[m];
        if (g->extent[k] > g->block[k] * g->processes[k])
            return COMPLAIN(
                "axis %d has %ld elements, but the axis with which it is aligned has blocks for %ld", k,
                g->extent[k], g->block[k] * g->processes[k]);
    }
    return NULL;
}

static const char *cut(struct mer_geometry *g, const struct mer_array_spec *spec, int threads) {
    for (int k = 0; k < g->rank; k++) {
        g->serial[k] = spec->axis[k].serial != 0;
        g->axis_order[k] = spec->axis[k].order;
        g->block[k] = spec->axis[k].block;
        if (g->axis_order[k] != MER_NEWS && g->axis_order[k] != MER_SEND)
            return COMPLAIN("axis %d has the order %d, which is neither MER_NEWS nor MER_SEND", k,
                            (int)g->axis_order[k]);
        if (g->block[k] < 0 || g->block[k] > 1L << 46)
            return COMPLAIN("axis %d has blocks of %ld elements; 0 to 2^46 are possible", k, g->block[k]);
    }
    const char *wrong = choose_grid(g, spec, threads);
    if (wrong)
        return wrong;
    number_blocks(g);
    for (int k = 0; k < g->rank; k++) {
        long p = g->processes[k];
        if (!g->block[k])
            g->block[k] = (g->extent[k] + p - 1) / p;
        if (g->block[k] < (g->extent[k] + p - 1) / p)
            return too_many(g, k, (int)p);
    }
    return NULL;
}

/* Sets strides, and the bytes of a block with its halo. */
static const char *measure(struct mer_geometry *g) {
    ptrdiff_t bytes = (ptrdiff_t)g->size;
    g->origin = 0;
    for (int i = 0; i < g->rank; i++) {
        int k = mer_geometry_axis(g, i);
        g->stride[k] = bytes;
        g->origin += (size_t)(bytes * g->halo[k]);
        if (__builtin_mul_overflow(bytes, g->block[k] + 2L * g->halo[k], &bytes) || bytes > 1L << 46)
            return COMPLAIN("a process's part has more bytes than can be addressed");
    }
    g->bytes = (size_t)bytes;
    return NULL;
}

const char *mer_geometry_settle(struct mer_geometry *g, const struct mer_array_spec *spec,
                                const struct mer_geometry *align, int threads) {
    memset(g, 0, sizeof *g);
    if (spec->rank < 1 || spec->rank > RANK)
        return COMPLAIN("the rank is %d, but it has to be 1 to %d", spec->rank, RANK);
    if (!mer_type_size(spec->type))
        return COMPLAIN("%d is no element type", (int)spec->type);
    if (spec->order != MER_ROW_MAJOR && spec->order != MER_COLUMN_MAJOR)
        return COMPLAIN("the memory order %d is neither MER_ROW_MAJOR nor MER_COLUMN_MAJOR",
                        (int)spec->order);
    g->rank = spec->rank;
    g->type = spec->type;
    g->order = spec->order;
    g->size = mer_type_size(spec->type);
    for (int k = 0; k < g->rank; k++) {
        g->extent[k] = spec->extent[k];
        g->halo[k] = spec->axis[k].halo;
        if (g->extent[k] < 1 || g->extent[k] > 1L << 46)
            return COMPLAIN("axis %d has %ld elements; 1 to 2^46 are possible", k, g->extent[k]);
        if (g->halo[k] < 0 || g->halo[k] > 1 << 20)
            return COMPLAIN("axis %d has a halo of %d elements; 0 to 2^20 are possible", k, g->halo[k]);
    }
    for (int k = g->rank; k < RANK; k++)
        g->processes[k] = 1;
    const char *wrong = align ? follow(g, spec, align) : cut(g, spec, threads);
    return wrong ? wrong : measure(g);
}
