/* Sum, least and largest element of an array, see meridian/array.h.
 *
 * Each thread reduces its own part.  The parts' results are exchanged in barriers, 8 bytes at a time, and all
 * threads merge them in the order of the threads, so that all have the same bits. */
#include "array/move/copy.h"
#include "array/layout/object.h"
#include "array/layout/pieces.h"
#include "array/layout/type.h"

#include <stdlib.h>
#include <string.h>

#define LANES 8 /* partial sums, so that additions need not wait for each other */

/*      type                     C type              result's            parts */
#define TYPES(X)                                                                                             \
    X(MER_INT8, signed char, long long, 1)                                                                   \
    X(MER_INT16, short, long long, 1)                                                                        \
    X(MER_INT32, int, long long, 1)                                                                          \
    X(MER_INT64, long long, long long, 1)                                                                    \
    X(MER_UINT8, unsigned char, unsigned long long, 1)                                                       \
    X(MER_UINT16, unsigned short, unsigned long long, 1)                                                     \
    X(MER_UINT32, unsigned, unsigned long long, 1)                                                           \
    X(MER_UINT64, unsigned long long, unsigned long long, 1)                                                 \
    X(MER_FLOAT32, float, double, 1)                                                                         \
    X(MER_FLOAT64, double, double, 1)                                                                        \
    X(MER_LONG_DOUBLE, long double, long double, 1)                                                          \
    X(MER_FLOAT128, mer_quad, mer_quad, 1)                                                                   \
    X(MER_COMPLEX64, float, double, 2)                                                                       \
    X(MER_COMPLEX128, double, double, 2)                                                                     \
    X(MER_COMPLEX_LONG_DOUBLE, long double, long double, 2)                                                  \
    X(MER_COMPLEX256, mer_quad, mer_quad, 2)

/* The state of a reduction: LANES partial results, and whether there are any. */
struct state {
    enum mer_reduction how;
    bool any;
    _Alignas(32) char lane[LANES * sizeof(mer_quad)];
};

/* A NaN stays the least or largest element: no number is less or greater. */
#define REDUCE(type, C, R, parts)                                                                            \
    static void reduce_##type(struct state *s, const void *numbers, long n) {                                \
        const C *x = numbers;                                                                                \
        R lane[LANES];                                                                                       \
        long i = 0;                                                                                          \
        if (!s->any)                                                                                         \
            for (int l = 0; l < LANES; l++)                                                                  \
                lane[l] = s->how == MER_SUM ? (R)0 : (R)x[0];                                                \
        else                                                                                                 \
            memcpy(lane, s->lane, sizeof lane);                                                              \
        for (; i < n; i += LANES)                                                                            \
            for (int l = 0; l < LANES && i + l < n; l++) {                                                   \
                R next = (R)x[i + l], least = lane[l];                                                       \
                if (s->how == MER_SUM)                                                                       \
                    lane[l] = least + next;                                                                  \
                else if ((s->how == MER_MIN ? next < least : next > least) || next != next)                  \
                    lane[l] = next;                                                                          \
            }                                                                                                \
        s->any = true;                                                                                       \
        memcpy(s->lane, lane, sizeof lane);                                                                  \
    }                                                                                                        \
    /* Joins the lanes of a state to one number, or two. */                                                  \
    static void join_##type(const struct state *s, void *result) {                                           \
        R lane[LANES];                                                                                       \
        memcpy(lane, s->lane, sizeof lane);                                                                  \
        for (int l = parts; l < LANES; l++) {                                                                \
            R next = lane[l], least = lane[l % parts];                                                       \
            if (s->how == MER_SUM)                                                                           \
                lane[l % parts] = least + next;                                                              \
            else if ((s->how == MER_MIN ? next < least : next > least) || next != next)                      \
                lane[l % parts] = next;                                                                      \
        }                                                                                                    \
        memcpy(result, lane, parts * sizeof *lane);                                                          \
    }                                                                                                        \
    /* Merges a thread's result, numbers of the wider type, into a state. */                                 \
    static void merge_##type(struct state *s, const void *result) {                                          \
        R lane[LANES], next[parts];                                                                          \
        memcpy(next, result, sizeof next);                                                                   \
        for (int l = 0; l < LANES && !s->any; l++)                                                           \
            lane[l] = s->how == MER_SUM ? (R)0 : next[0];                                                    \
        if (s->any)                                                                                          \
            memcpy(lane, s->lane, sizeof lane);                                                              \
        for (int l = 0; l < parts; l++)                                                                      \
            if (s->how == MER_SUM)                                                                           \
                lane[l] = lane[l] + next[l];                                                                 \
            else if ((s->how == MER_MIN ? next[l] < lane[l] : next[l] > lane[l]) || next[l] != next[l])      \
                lane[l] = next[l];                                                                           \
        s->any = true;                                                                                       \
        memcpy(s->lane, lane, sizeof lane);                                                                  \
    }
TYPES(REDUCE)

struct row {
    void (*reduce)(struct state *s, const void *numbers, long n);
    void (*join)(const struct state *s, void *result);
    void (*merge)(struct state *s, const void *result);
    size_t bytes; /* of the result */
    int parts;
};
#define ROW(type, C, R, parts)                                                                               \
    [type] = {reduce_##type, join_##type, merge_##type, sizeof(R) * (parts), parts},
static const struct row rows[] = {TYPES(ROW)};

/* A run of contiguous elements of this thread's part. */
struct part {
    struct state state;
    const struct row *row;
    const char *local;
    long n;
};
static void take_run(void *context, ptrdiff_t to, ptrdiff_t from) {
    struct part *p = context;
    (void)from;
    p->row->reduce(&p->state, p->local + to, p->n);
}

static void reduce_part(struct part *p, const mer_array *a, const struct mer_region *r) {
    long count[RANK];
    struct mer_copy runs;
    for (int k = 0; k < a->g->rank; k++)
        count[k] = r->high[k] - r->low[k];
    mer_copy_prepare(&runs, a->g->size, a->g->rank, count, a->g->stride, a->g->stride);
    p->local = a->local;
    p->n = (long)(runs.run / a->g->size) * p->row->parts;
    mer_copy_each(&runs, take_run, p);
}

void mer_array_reduce(const mer_array *array, enum mer_reduction how, void *result) {
    mer_array_check(array, "mer_array_reduce");
    mer_call_begin(MER_CALL_REDUCE, array->number, 0, (uint64_t)how);
    const struct mer_geometry *g = array->g;
    const struct row *row = &rows[g->type];
    struct mer_region r;
    if ((unsigned)how > MER_MAX)
        mer_call_fatal("%d is not a reduction", (int)how);
    if (!result)
        mer_call_fatal("the result is a null pointer");
    if (how != MER_SUM && row->parts > 1)
        mer_call_fatal("the array is of %s, which have no order: only MER_SUM is possible",
                       mer_type_name(g->type));
    struct part mine = {.state = {.how = how}, .row = row};
    struct state all = {.how = how};
    uint64_t word[MER_TYPE_MOST / sizeof(uint64_t)] = {0}, each[MER_TYPE_MOST / sizeof(uint64_t)];
    if (mer_region_of_block(&r, g, g, ME)) {
        reduce_part(&mine, array, &r);
        row->join(&mine.state, word);
    }
    mer_call_barrier();
    static uint64_t *from_all; /* the words of all threads, one word of each after the other */
    size_t words = row->bytes / sizeof *word, threads = (size_t)THREADS;
    if (!from_all)
        from_all = calloc(threads * (MER_TYPE_MOST / sizeof *word), sizeof *from_all);
    if (!from_all)
        mer_call_fatal("no memory for the results of %d threads", THREADS);
    for (size_t w = 0; w < words; w++) {
        mer_barrier_exchange("mer_array_reduce", word[w]);
        for (size_t t = 0; t < threads; t++)
            from_all[w * threads + t] = mer_barrier_payload((int)t);
    }
    for (size_t t = 0; t < threads; t++) {
        if (!mer_region_of_block(&r, g, g, (int)t))
            continue;
        for (size_t w = 0; w < words; w++)
            each[w] = from_all[w * threads + t];
        row->merge(&all, each);
    }
    memcpy(result, all.lane, row->bytes);
}
