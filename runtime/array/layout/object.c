/* Making and freeing arrays, see object.h. */
#include "array/layout/object.h"

#include "array/layout/cache.h"
#include "array/layout/type.h"
#include "host/memory.h"

#include <stdlib.h>
#include <string.h>

uint64_t mer_arrays_freed;

/* ---- geometries ---------------------------------------------------------------------------------------- */

const struct mer_geometry *mer_geometry_kept(const struct mer_geometry *g) {
    static struct kept {
        struct mer_geometry g;
        struct kept *next;
    } * first;
    for (struct kept *k = first; k; k = k->next)
        if (memcmp(&k->g, g, sizeof *g) == 0)
            return &k->g;
    struct kept *k = malloc(sizeof *k);
    if (!k)
        mer_call_fatal("no memory for the array's descriptor");
    memcpy(&k->g, g, sizeof *g);
    k->next = first;
    first = k;
    return &k->g;
}

uint64_t mer_geometry_digest(const struct mer_geometry *g) {
    const uint32_t *word = (const uint32_t *)(const void *)g;
    uint64_t digest = 0;
    for (size_t i = 0; i < sizeof *g / sizeof *word; i++)
        digest = mer_call_digest(digest, word[i]);
    return digest;
}

/* ---- descriptors -------------------------------------------------------------------------------------- */

/* Lists of all descriptors, by their addresses. */
#define LISTS 1024
static struct mer_array *known[LISTS];

static struct mer_array **list_of(const void *array) {
    uint64_t bits = (uint64_t)(uintptr_t)array >> 4; /* malloc's are multiples of 16 */
    return &known[(bits ^ bits >> 10) % LISTS];
}

bool mer_array_known(const void *array) {
    for (const struct mer_array *a = *list_of(array); a; a = a->next_known)
        if (a == array)
            return true;
    return false;
}

static struct mer_array *descriptor(const struct mer_geometry *g, uint64_t number) {
    struct mer_array *a = calloc(1, sizeof *a);
    if (!a)
        mer_call_fatal("no memory for the array's descriptor");
    a->g = g;
    a->number = number;
    a->next_known = *list_of(a);
    *list_of(a) = a;
    return a;
}

static void drop_descriptor(struct mer_array *array) {
    struct mer_array **at = list_of(array);
    while (*at != array)
        at = &(*at)->next_known;
    *at = array->next_known;
    free(array);
}

/* ---- checks -------------------------------------------------------------------------------------------- */

void mer_array_check(const struct mer_array *a, const char *call) {
    if (!a)
        mer_fatal("%s: the array is a null pointer: it has not been created, or has been freed", call);
    if (!a->g)
        mer_fatal("%s: the array `%s' has been freed", call, mer_call_array(a->number));
}

void mer_array_check_memory(const struct mer_array *a, const char *call, const void *at, const char *what) {
    if (!at)
        mer_fatal("%s of `%s': the %s is a null pointer", call, mer_call_array(a->number), what);
}

/* Returns the name of the first difference of two geometries, for people; text has 96 bytes.  The caller's
 * message gives shapes and processes. */
static const char *difference(const struct mer_geometry *a, const struct mer_geometry *b, char *text) {
    if (a->type != b->type)
        return "element type";
    if (a->rank != b->rank)
        return "rank";
    for (int k = 0; k < a->rank; k++)
        if (a->extent[k] != b->extent[k])
            return "shape";
    if (a->order != b->order)
        return "memory order";
    for (int k = 0; k < a->rank; k++) {
        const char *in = NULL;
        if (a->processes[k] != b->processes[k])
            return "layout";
        if (a->halo[k] != b->halo[k])
            snprintf(text, 96, "halo (%d and %d elements along axis %d)", a->halo[k], b->halo[k], k);
        else if (a->block[k] != b->block[k])
            snprintf(text, 96, "layout (blocks of %ld and %ld elements along axis %d)", a->block[k],
                     b->block[k], k);
        else if (a->serial[k] != b->serial[k])
            in = "serial in one array";
        else if (a->axis_order[k] != b->axis_order[k])
            in = "in NEWS order in one array, in SEND order in the other";
        else if (a->step[k] != b->step[k])
            in = "distributed over different threads, by its alignment";
        else
            continue;
        if (in)
            snprintf(text, 96, "layout (axis %d is %s)", k, in);
        return text;
    }
    return "layout";
}

/* A geometry as text: at most seven extents of 15 digits and as many numbers of processes. */
#define GEOMETRY_TEXT 256

static const char *geometry_text(const struct mer_geometry *g, char text[GEOMETRY_TEXT]) {
    size_t n = (size_t)snprintf(text, GEOMETRY_TEXT, "%s", mer_type_name(g->type));
    for (int k = 0; k < g->rank; k++)
        n += (size_t)snprintf(text + n, GEOMETRY_TEXT - n, "%s%ld", k ? " x " : " ", g->extent[k]);
    n += (size_t)snprintf(text + n, GEOMETRY_TEXT - n, " over");
    for (int k = 0; k < g->rank; k++)
        n += (size_t)snprintf(text + n, GEOMETRY_TEXT - n, "%s%d", k ? " x " : " ", g->processes[k]);
    snprintf(text + n, GEOMETRY_TEXT - n, " processes");
    return text;
}

void mer_array_check_alike(const struct mer_array *a, const struct mer_array *b) {
    char one[GEOMETRY_TEXT], other[GEOMETRY_TEXT], in[96];
    if (a->g == b->g)
        return;
    mer_call_fatal("the arrays differ in %s: `%s' is %s, `%s' is %s", difference(a->g, b->g, in),
                   mer_call_array(a->number), geometry_text(a->g, one), mer_call_array(b->number),
                   geometry_text(b->g, other));
}

void mer_array_check_prototype(const struct mer_array *a, const struct mer_geometry *g, const char *role,
                               const char *owner) {
    char one[GEOMETRY_TEXT], other[GEOMETRY_TEXT], in[96];
    if (a->g == g)
        return;
    mer_call_fatal("`%s'%s differs from %s's prototype in %s: the array is %s, the prototype is %s",
                   mer_call_array(a->number), role, owner, difference(a->g, g, in), geometry_text(a->g, one),
                   geometry_text(g, other));
}

/* ---- making -------------------------------------------------------------------------------------------- */

static struct mer_array *describe(enum mer_call call, const struct mer_array_spec *spec) {
    struct mer_geometry g;
    uint64_t number = mer_call_register(spec ? spec->name : NULL);
    const struct mer_array *align = spec ? spec->align : NULL;
    if (align)
        mer_array_check(align, mer_call_text(call));
    const char *wrong = spec ? mer_geometry_settle(&g, spec, align ? align->g : NULL, THREADS)
                             : "the description is a null pointer";
    mer_call_begin(call, number, align ? align->number : 0, wrong ? 0 : mer_geometry_digest(&g));
    mer_barrier_check_outside(mer_call_text(call));
    if (wrong)
        mer_call_fatal("%s", wrong);
    return descriptor(mer_geometry_kept(&g), number);
}

/* Allocates memory for every thread's block. */
static void give_memory(struct mer_array *a) {
    uint64_t n = a->g->bytes, all = 0;
    bool counted = !__builtin_mul_overflow(n, (uint64_t)THREADS, &all);
    mer_call_share(ME == 0 && counted ? mer_heap_symmetric(n, all, NULL) : 0);
    a->native = mer_barrier_payload(0);
    char text[32];
    if (!a->native)
        mer_call_fatal("no memory: the array needs %s of shared memory in each of %d threads",
                       mer_bytes_text(text, n), THREADS);
    int place[RANK];
    if (mer_geometry_place(a->g, ME, place)) {
        a->local = mer_view(ME, a->native + a->g->origin);
        if (n > (uint64_t)mer_cache_bytes(3) / 4) /* smaller blocks gain nothing */
            mer_memory_large_pages(a->local - a->g->origin, n);
    }
    if (!a->g->origin)
        return;
    if (a->local) /* a halo is zero until it is set */
        memset(a->local - a->g->origin, 0, n);
    mer_call_barrier(); /* others may put elements here as soon as they have the array */
}

mer_array *mer_array_create(const struct mer_array_spec *spec) {
    struct mer_array *a = describe(MER_CALL_CREATE, spec);
    give_memory(a);
    return a;
}

mer_array *mer_array_like(const mer_array *array, const char *name) {
    mer_array_check(array, "mer_array_like");
    uint64_t number = mer_call_register(name);
    mer_call_begin(MER_CALL_LIKE, number, array->number, 0);
    struct mer_array *a = descriptor(array->g, number);
    give_memory(a);
    return a;
}

/* Returns the bits of the first element of this thread's block, which begins with its halo at `local', or 0
 * if the thread has no block. */
static mer_u64 bits_of_part(const struct mer_array *a, void *local) {
    int place[RANK];
    if (!mer_geometry_place(a->g, ME, place))
        return 0;
    local = mer_everything_seen(local); /* a static of Split-C or AC, in the view */
    mer_u64 at = (mer_u64)(uintptr_t)local, first = MER_VIEW_BASE + (mer_u64)ME * mer_job.span;
    if (!local)
        mer_call_fatal("thread %d owns a part of the array, but passes a null pointer", ME);
    if (THREADS > 1 && (at < first || at + a->g->bytes > first + mer_job.span))
        mer_call_fatal("thread %d's part at %p, of %zu bytes, is not in its shared memory", ME, local,
                       a->g->bytes);
    return (at + a->g->origin) | (mer_u64)ME << MER_THREAD_SHIFT;
}

mer_array *mer_array_over(const struct mer_array_spec *spec, void *local) {
    struct mer_array *a = describe(MER_CALL_OVER, spec);
    mer_u64 mine = bits_of_part(a, local);
    a->base = calloc((size_t)THREADS, sizeof *a->base);
    if (!a->base)
        mer_call_fatal("no memory for the array's descriptor");
    mer_call_share(mine);
    for (int t = 0; t < THREADS; t++)
        a->base[t] = mer_barrier_payload(t);
    a->local = mine ? mer_at(mine) : NULL;
    return a;
}

void *mer_freed_keep(struct mer_freed *freed, void *descriptor) {
    void *oldest = freed->known[freed->next];
    freed->known[freed->next] = descriptor;
    freed->next = (freed->next + 1) % MER_FREED_KNOWN;
    return oldest;
}

/* Keeps the descriptor and the name until MER_FREED_KNOWN other arrays have been freed. */
static void forget(struct mer_array *array) {
    static struct mer_freed freed;
    array->g = NULL;
    struct mer_array *oldest = mer_freed_keep(&freed, array);
    if (!oldest)
        return;
    mer_call_forget(oldest->number);
    drop_descriptor(oldest);
}

void mer_array_free(mer_array *array) {
    if (!array)
        return;
    mer_array_check(array, "mer_array_free");
    mer_call_begin(MER_CALL_FREE, array->number, 0, 0);
    mer_call_barrier();
    if (array->native && ME == 0)
        mer_heap_free(0, array->native, "mer_array_free");
    mer_arrays_freed++;
    free(array->base);
    forget(array);
}
