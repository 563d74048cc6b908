/* Whole arrays: filling, scattering, gathering, redistributing.  Elements are read or written in place
 * (rma/copy.h) by the one thread that wants or has them, between two barriers; calls keep no state. */
#include "array/move/copy.h"
#include "array/layout/object.h"
#include "array/layout/pieces.h"

#include "rma/pieces.h"

#include <string.h>

/* Transfers of this thread under way.  A null array stands for private memory of this thread. */
struct transfer {
    const mer_array *to, *from;
    char *to_private;
    const char *from_private;
    struct mer_pieces pieces;
    mer_u64 to_bits, from_bits; /* of the current piece */
    size_t run;
};

static void get_run(void *context, ptrdiff_t to, ptrdiff_t from) {
    struct transfer *t = context;
    mer_rma_get_piece(&t->pieces, (char *)mer_at(t->to_bits) + to, t->from_bits + (mer_u64)from, t->run);
}

static void put_run(void *context, ptrdiff_t to, ptrdiff_t from) {
    struct transfer *t = context;
    mer_rma_put_piece(&t->pieces, t->to_bits + (mer_u64)to, (char *)mer_at(t->from_bits) + from, t->run);
}

static void move_piece(void *context, const struct mer_piece *p) {
    struct transfer *t = context;
    struct mer_copy copy;
    mer_copy_prepare(&copy, p->size, p->rank, p->count, p->to_stride, p->from_stride);
    t->run = copy.run;
    t->to_bits = (t->to ? mer_array_bits(t->to, p->to_thread) : mer_rma_private(t->to_private)) +
                 (mer_u64)p->to;
    t->from_bits = (t->from ? mer_array_bits(t->from, p->from_thread) : mer_rma_private(t->from_private)) +
                   (mer_u64)p->from;
    bool to_near = !t->to || mer_is_local(t->to_bits), from_near = !t->from || mer_is_local(t->from_bits);
    if (to_near && from_near)
        mer_copy_run(&copy, mer_at(t->to_bits), mer_at(t->from_bits));
    else
        mer_copy_each(&copy, to_near ? get_run : put_run, t);
}

static void finish(struct transfer *t) {
    mer_pieces_send(&t->pieces);
    mer_am_wait_counter(t->pieces.counter);
}

/* Sets *whole to the layout of the whole array in one memory. */
static void whole_of(const struct mer_geometry *g, struct mer_geometry *whole) {
    struct mer_array_spec spec = {.type = g->type, .rank = g->rank, .order = g->order};
    for (int k = 0; k < g->rank; k++) {
        spec.extent[k] = g->extent[k];
        spec.axis[k].serial = 1;
    }
    const char *wrong = mer_geometry_settle(whole, &spec, NULL, 1);
    if (wrong)
        mer_call_fatal("%s", wrong);
}

static void check_root(int root, const void *all) {
    if ((unsigned)root >= (unsigned)THREADS)
        mer_call_fatal("there is no thread %d", root);
    if (root == ME && !all)
        mer_call_fatal("the whole array's memory on thread %d is a null pointer", root);
}

void mer_array_gather(const mer_array *array, void *all, int root) {
    mer_array_check(array, "mer_array_gather");
    mer_call_begin(MER_CALL_GATHER, array->number, 0, (uint64_t)root);
    check_root(root, all);
    mer_call_barrier();
    if (root == ME) {
        int counter = 0;
        struct mer_geometry whole;
        struct mer_region r;
        struct transfer t = {.from = array, .to_private = all, .pieces = {.counter = &counter}};
        whole_of(array->g, &whole);
        mer_region_of_block(&r, &whole, array->g, 0);
        mer_pieces_of(&r, move_piece, &t);
        finish(&t);
    }
    mer_call_barrier();
}

void mer_array_scatter(mer_array *array, const void *all, int root) {
    mer_array_check(array, "mer_array_scatter");
    mer_call_begin(MER_CALL_SCATTER, array->number, 0, (uint64_t)root);
    check_root(root, all);
    mer_call_barrier();
    if (root == ME) {
        int counter = 0;
        struct mer_geometry whole;
        struct transfer t = {.to = array, .from_private = all, .pieces = {.counter = &counter}};
        whole_of(array->g, &whole);
        for (int thread = 0; thread < THREADS; thread++) {
            struct mer_region r;
            if (mer_region_of_block(&r, array->g, &whole, thread))
                mer_pieces_of(&r, move_piece, &t);
        }
        finish(&t);
    }
    mer_call_barrier();
}

void mer_array_copy(mer_array *to, const mer_array *from) {
    mer_array_check(to, "mer_array_copy");
    mer_array_check(from, "mer_array_copy");
    mer_call_begin(MER_CALL_COPY, to->number, from->number, 0);
    if (to->g->type != from->g->type || to->g->rank != from->g->rank ||
        memcmp(to->g->extent, from->g->extent, sizeof to->g->extent) != 0)
        mer_array_check_alike(to, from);
    mer_call_barrier();
    int counter = 0;
    struct mer_region r;
    struct transfer t = {.to = to, .from = from, .pieces = {.counter = &counter}};
    if (to != from && mer_region_of_block(&r, to->g, from->g, ME))
        mer_pieces_of(&r, move_piece, &t);
    finish(&t);
    mer_call_barrier();
}

void mer_array_fill(mer_array *array, const void *value) {
    mer_array_check(array, "mer_array_fill");
    mer_call_begin(MER_CALL_FILL, array->number, 0, 0);
    if (!value)
        mer_call_fatal("the value is a null pointer");
    const struct mer_geometry *g = array->g;
    struct mer_region r;
    if (!mer_region_of_block(&r, g, g, ME))
        return;
    long count[RANK];
    ptrdiff_t none[RANK] = {0};
    struct mer_copy copy;
    for (int k = 0; k < g->rank; k++)
        count[k] = r.high[k] - r.low[k];
    mer_copy_prepare(&copy, g->size, g->rank, count, g->stride, none);
    mer_copy_run(&copy, array->local, value);
}
