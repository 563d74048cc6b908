/* Halos, see halo.h.
 *
 * Without corners one exchange brings the slabs of all axes.  With corners there is an exchange for each
 * axis, in order, and the slabs of an axis include the halos that the exchanges before it have brought.  So a
 * corner comes by two or three messages that travel anyway, and diagonal neighbours send each other none. */
#include "array/move/halo.h"

#include "array/move/exchange.h"
#include "array/layout/pieces.h"
#include "array/layout/type.h"

#include <stdlib.h>
#include <string.h>

struct mer_halo {
    const struct mer_geometry *g;
    int width[RANK];
    bool corners;
    bool wrapped[RANK]; /* periodic, and within the process */
    struct mer_face face[RANK][2];
    int phases;
    struct mer_exchange *phase[RANK];
};

bool mer_halo_wraps(const struct mer_halo *h, int k) {
    return h->face[k][0].kind == MER_PERIODIC && !h->wrapped[k];
}

bool mer_halo_wraps_here(const struct mer_halo *h, int k) { return h->wrapped[k]; }

/* ---- the pattern --------------------------------------------------------------------------------------- */

struct phase {
    const struct mer_halo *h;
    int first, end; /* the axes whose slabs it brings */
};

/* Pieces grow by the halos of the axes before theirs: of the same width on both sides, and at the same place
 * in the receiver's memory and the sender's. */
struct widening {
    const struct mer_halo *h;
    int axis;
    mer_piece_sink *sink;
    void *to;
};

static void widen(void *context, const struct mer_piece *piece) {
    const struct widening *w = context;
    struct mer_piece p = *piece;
    for (int k = 0; w->h->corners && k < w->axis; k++) {
        p.count[k] += 2L * w->h->width[k];
        p.to -= w->h->width[k] * p.to_stride[k];
        p.from -= w->h->width[k] * p.from_stride[k];
    }
    w->sink(w->to, &p);
}

static void pattern(const void *context, int thread, mer_piece_sink *sink, void *to) {
    const struct phase *phase = context;
    const struct mer_halo *h = phase->h;
    struct mer_region block;
    if (!mer_region_of_block(&block, h->g, h->g, thread))
        return;
    block.from_slot = 1;
    for (int k = phase->first; k < phase->end; k++)
        for (int side = 0; side < 2 && h->width[k]; side++) {
            struct mer_region r = block;
            struct widening w = {h, k, sink, to};
            r.wrap[k] = mer_halo_wraps(h, k);
            r.low[k] = side ? block.high[k] : block.low[k] - h->width[k];
            r.high[k] = side ? block.high[k] + h->width[k] : block.low[k];
            mer_pieces_of(&r, widen, &w);
        }
}

struct mer_halo *mer_halo_new(const struct mer_geometry *g, const int *width, bool corners,
                              struct mer_face face[RANK][2], const bool *wrapped) {
    struct mer_halo *h = calloc(1, sizeof *h);
    if (!h)
        mer_call_fatal("no memory for its halos");
    h->g = g;
    h->corners = corners;
    memcpy(h->wrapped, wrapped, (size_t)g->rank * sizeof *wrapped);
    for (int k = 0; k < g->rank; k++)
        h->width[k] = wrapped[k] ? 0 : width[k];
    memcpy(h->face, face, sizeof h->face);
    h->phases = corners ? g->rank : 1;
    for (int i = 0; i < h->phases; i++) {
        struct phase phase = {h, corners ? i : 0, corners ? i + 1 : g->rank};
        h->phase[i] = mer_exchange_new(pattern, &phase, false);
    }
    return h;
}

void mer_halo_free(struct mer_halo *h) {
    for (int i = 0; i < h->phases; i++)
        mer_exchange_free(h->phase[i]);
    free(h);
}

void mer_halo_start(struct mer_halo *h, char *local, uint64_t digest) {
    mer_exchange_start(h->phase[0], (char *const[]){local, local}, digest);
}

void mer_halo_finish(struct mer_halo *h, char *local, uint64_t digest) {
    char *const memory[] = {local, local};
    mer_exchange_finish(h->phase[0], memory, digest);
    for (int i = 1; i < h->phases; i++) {
        mer_exchange_start(h->phase[i], memory, digest);
        mer_exchange_finish(h->phase[i], memory, digest);
    }
}

/* ---- faces --------------------------------------------------------------------------------------------- */

bool mer_halo_block(const struct mer_geometry *g, struct mer_box *block) {
    struct mer_region r;
    if (!mer_region_of_block(&r, g, g, ME))
        return false;
    memcpy(block->low, r.low, sizeof block->low);
    memcpy(block->high, r.high, sizeof block->high);
    return true;
}

/* The layer of elements at index i of axis k: over the box along the other axes, with the elements that faces
 * have set beyond the axes before k. */
struct layer {
    const struct mer_geometry *g;
    long count[RANK];
    ptrdiff_t at; /* of its first element with index 0 along k, from the block's first */
};

static void layer_of(struct layer *l, const struct mer_geometry *g, const struct mer_box *block,
                     const struct mer_box *around, int k) {
    l->g = g;
    l->at = -block->low[k] * g->stride[k];
    for (int a = 0; a < g->rank; a++) {
        l->count[a] = a == k ? 1 : around->high[a] - around->low[a];
        if (a != k)
            l->at += (around->low[a] - block->low[a]) * g->stride[a];
    }
}

static void set_layer(const struct layer *l, char *local, long i, int k, double value) {
    _Alignas(16) char element[MER_TYPE_MOST];
    ptrdiff_t none[RANK] = {0};
    struct mer_copy copy;
    mer_type_value(l->g->type, value, element);
    mer_copy_prepare(&copy, l->g->size, l->g->rank, l->count, l->g->stride, none);
    mer_copy_run(&copy, local + l->at + i * l->g->stride[k], element);
}

static void copy_layer(const struct layer *l, char *local, long i, long from, int k) {
    struct mer_copy copy;
    mer_copy_prepare(&copy, l->g->size, l->g->rank, l->count, l->g->stride, l->g->stride);
    mer_copy_run(&copy, local + l->at + i * l->g->stride[k], local + l->at + from * l->g->stride[k]);
}

/* Sets u(i) = old(in) + (C - 1) / (C + 1) * (u(in) - old(i)), in being i's neighbour inside: G. Mur, IEEE
 * Trans. EMC 23 (1981). */
struct absorption {
    char *u;
    const char *old;
    ptrdiff_t in;
    double factor;
    bool single;
};
static void absorb(void *context, ptrdiff_t to, ptrdiff_t from) {
    const struct absorption *a = context;
    (void)from;
    if (a->single) {
        float *u = (float *)(a->u + to), *u_in = (float *)(a->u + to + a->in);
        const float *old = (const float *)(a->old + to), *old_in = (const float *)(a->old + to + a->in);
        *u = *old_in + (float)a->factor * (*u_in - *old);
    } else {
        double *u = (double *)(a->u + to), *u_in = (double *)(a->u + to + a->in);
        const double *old = (const double *)(a->old + to), *old_in = (const double *)(a->old + to + a->in);
        *u = *old_in + a->factor * (*u_in - *old);
    }
}

static void absorb_layer(const struct layer *l, char *local, const char *old, long i, int inward, int k,
                         double courant) {
    ptrdiff_t at = l->at + i * l->g->stride[k], apart[RANK];
    struct absorption a = {.u = local + at,
                           .old = old + at,
                           .in = inward * l->g->stride[k],
                           .factor = (courant - 1) / (courant + 1),
                           .single = l->g->type == MER_FLOAT32};
    struct mer_copy each; /* one element at a time: none continues another one in the second memory */
    for (int k2 = 0; k2 < l->g->rank; k2++)
        apart[k2] = 0;
    mer_copy_prepare(&each, l->g->size, l->g->rank, l->count, l->g->stride, apart);
    mer_copy_each(&each, absorb, &a);
}

/* Sets the layers beyond a face, as far as the box's elements see them. */
static void make_face(const struct mer_halo *h, const struct layer *l, char *local, const char *old, int k,
                      int side, long layers) {
    const struct mer_face *face = &h->face[k][side];
    long last = h->g->extent[k] - 1;
    for (long d = 1; d <= layers; d++) {
        long i = side ? last + d : -d;
        if (face->kind == MER_VALUE)
            set_layer(l, local, i, k, face->value);
        else if (face->kind == MER_REFLECTING)
            copy_layer(l, local, i, side ? last + 1 - d : d - 1, k);
        else if (face->kind == MER_PERIODIC)
            copy_layer(l, local, i, side ? d - 1 : last + 1 - d, k);
        else if (face->kind == MER_ABSORBING)
            absorb_layer(l, local, old, i, side ? -1 : 1, k, face->value);
    }
}

void mer_halo_faces(const struct mer_halo *h, char *local, const char *old, const struct mer_box *box,
                    const int *reach, bool stand) {
    struct mer_box block, around = *box;
    mer_halo_block(h->g, &block);
    for (int k = 0; k < h->g->rank; k++) { /* the elements that the box sees, except those that faces set */
        around.low[k] -= reach[k];
        around.high[k] += reach[k];
        if (mer_halo_wraps(h, k))
            continue;
        around.low[k] = around.low[k] < 0 ? 0 : around.low[k];
        around.high[k] = around.high[k] > h->g->extent[k] ? h->g->extent[k] : around.high[k];
    }
    for (int k = 0; k < h->g->rank; k++) {
        struct layer l;
        if (mer_halo_wraps(h, k))
            continue;
        layer_of(&l, h->g, &block, &around, k);
        long begins = reach[k] - box->low[k], ends = box->high[k] + reach[k] - h->g->extent[k];
        for (int side = 0; side < 2; side++)
            if (!(stand && h->face[k][side].kind == MER_VALUE))
                make_face(h, &l, local, old, k, side, side ? ends : begins);
        around.low[k] -= begins > 0 ? begins : 0; /* the next axes' layers have these corners too */
        around.high[k] += ends > 0 ? ends : 0;
    }
}
