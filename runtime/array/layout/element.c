/* Descriptions of arrays, and access to single elements. */
#include "array/layout/object.h"

#include <string.h>

void mer_array_describe(const mer_array *array, int thread, struct mer_array_info *info) {
    mer_array_check(array, "mer_array_describe");
    mer_array_check_memory(array, "mer_array_describe", info, "description");
    const struct mer_geometry *g = array->g;
    if ((unsigned)thread >= (unsigned)THREADS)
        mer_fatal("mer_array_describe of `%s': there is no thread %d", mer_call_array(array->number), thread);
    *info = (struct mer_array_info){.name = mer_call_array(array->number),
                                    .type = g->type,
                                    .size = g->size,
                                    .rank = g->rank,
                                    .order = g->order,
                                    .bytes = g->bytes,
                                    .thread = thread};
    int place[RANK];
    bool any = mer_geometry_place(g, thread, place), elements = any;
    for (int k = 0; k < g->rank; k++) {
        info->extent[k] = g->extent[k];
        info->serial[k] = g->serial[k];
        info->axis_order[k] = g->axis_order[k];
        info->processes[k] = g->processes[k];
        info->block[k] = g->block[k];
        info->halo[k] = g->halo[k];
        info->stride[k] = g->stride[k];
        info->place[k] = any ? place[k] : -1;
        info->first[k] = any ? g->block[k] * place[k] : 0;
        info->count[k] = any ? mer_geometry_count(g, k, place[k]) : 0;
        elements = elements && info->count[k] > 0;
    }
    if (elements && mer_is_local(mer_array_bits(array, thread)))
        info->local = mer_at(mer_array_bits(array, thread));
}

enum mer_type mer_array_type(const mer_array *array) {
    mer_array_check(array, "mer_array_type");
    return array->g->type;
}

/* Returns the thread that has an element; *bits is the element's place. */
static int find(const mer_array *array, const long *index, const char *call, mer_u64 *bits) {
    mer_array_check(array, call);
    mer_array_check_memory(array, call, index, "index");
    const struct mer_geometry *g = array->g;
    int place[RANK];
    ptrdiff_t offset = 0;
    for (int k = 0; k < g->rank; k++) {
        if (index[k] < 0 || index[k] >= g->extent[k])
            mer_fatal(
                "%s of `%s': index %ld of axis %d is not in 0 to %ld (in Fortran %ld of dim %d, 1 to %ld)",
                call, mer_call_array(array->number), index[k], k, g->extent[k] - 1, index[k] + 1, k + 1,
                g->extent[k]);
        place[k] = (int)(index[k] / g->block[k]);
        offset += index[k] % g->block[k] * g->stride[k];
    }
    int thread = mer_geometry_thread(g, place);
    *bits = mer_array_bits(array, thread) + (mer_u64)offset;
    return thread;
}

int mer_array_owner(const mer_array *array, const long *index) {
    mer_u64 bits;
    return find(array, index, "mer_array_owner", &bits);
}

void *mer_array_at(const mer_array *array, const long *index) {
    mer_u64 bits;
    find(array, index, "mer_array_at", &bits);
    return mer_is_local(bits) ? mer_at(bits) : NULL;
}

void mer_array_get(const mer_array *array, const long *index, void *value) {
    mer_u64 bits;
    find(array, index, "mer_array_get", &bits);
    mer_array_check_memory(array, "mer_array_get", value, "value");
    mer_rma_get(value, bits, array->g->size, "mer_array_get");
}

void mer_array_put(mer_array *array, const long *index, const void *value) {
    mer_u64 bits;
    find(array, index, "mer_array_put", &bits);
    mer_array_check_memory(array, "mer_array_put", value, "value");
    mer_rma_put(bits, value, array->g->size, "mer_array_put");
}

/* Returns true if element number i of the block at `place', in memory order without halo, is not padding. */
static bool valid(const struct mer_geometry *g, const int place[RANK], size_t i) {
    for (int d = 0; d < g->rank; d++) {
        int k = mer_geometry_axis(g, d);
        if ((long)(i % (size_t)g->block[k]) >= mer_geometry_count(g, k, place[k]))
            return false;
        i /= (size_t)g->block[k];
    }
    return true;
}

void mer_array_mask(const mer_array *array, unsigned char *mask) {
    mer_array_check(array, "mer_array_mask");
    mer_array_check_memory(array, "mer_array_mask", mask, "mask");
    const struct mer_geometry *g = array->g;
    size_t elements = 1;
    int place[RANK];
    bool any = mer_geometry_place(g, ME, place);
    for (int k = 0; k < g->rank; k++)
        elements *= (size_t)g->block[k];
    for (size_t i = 0; i < elements; i++)
        mask[i] = any && valid(g, place, i);
}
