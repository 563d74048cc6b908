/* Views of arrays: the address of the elements of an array and its bounds, so that compiled loops over
 * I-structures look them up once; and ranges of elements whose states such a loop tests together.  Part of
 * meridian/abi/tam.h. */
#ifndef MERIDIAN_TAM_VIEW_H
#define MERIDIAN_TAM_VIEW_H

#include <meridian/abi/tam.h>

/* The elements and bounds of an array that a loop uses.  The view of a remote array has no elements, so that
 * each index is out of bounds, and tam_fetch and tam_store do the access. */
struct tam_view {
    tam_word *elements;
    uint8_t *states;
    int64_t lower[3];
    uint64_t extent[3];
};
/* Returns the view of an array with these elements and bounds. */
MER_INLINE struct tam_view tam_view_with(tam_word *elements, unsigned dims, const int64_t *bounds) {
    struct tam_view view = {elements, NULL, {0, 0, 0}, {0, 0, 0}};
    uint64_t size = 1;
    for (unsigned d = 0; d < dims; d++) {
        uint64_t extent = (uint64_t)bounds[2 * d + 1] - (uint64_t)bounds[2 * d] + 1;
        view.lower[d] = bounds[2 * d];
        view.extent[d] = bounds[2 * d + 1] < bounds[2 * d] ? 0 : extent;
        size *= view.extent[d];
    }
    view.states = (uint8_t *)(elements + size);
    return view;
}
MER_INLINE struct tam_view tam_view(tam_word array, unsigned dims) {
    struct tam_view none = {NULL, NULL, {0, 0, 0}, {0, 0, 0}};
    if (__builtin_expect(array <= TAM_NO_REFERENCE || !tam_is_local(array), 0))
        return none;
    struct tam_object *object = tam_at(array);
    if (__builtin_expect(!tam_is_here(array) && object->kind & TAM_MUTABLE, 0))
        return none;
    return tam_view_with(object->v + 2 * dims, dims, (const int64_t *)object->v);
}
/* The view of an array that this processor has created with these bounds. */
MER_INLINE struct tam_view tam_view_of(tam_word array, unsigned dims, const int64_t *bounds) {
    return tam_view_with(tam_at(array)->v + 2 * dims, dims, bounds);
}
/* Returns the number of an element whose index is within the bounds. */
MER_INLINE uint64_t tam_view_number(const struct tam_view *view, unsigned dims, int64_t i, int64_t j,
                                    int64_t k) {
    uint64_t i0 = (uint64_t)i - (uint64_t)view->lower[0], i1 = (uint64_t)j - (uint64_t)view->lower[1];
    uint64_t i2 = (uint64_t)k - (uint64_t)view->lower[2];
    return dims == 1   ? i0
           : dims == 2 ? i0 * view->extent[1] + i1
                       : (i0 * view->extent[1] + i1) * view->extent[2] + i2;
}
/* Sets *at to the number of an element.  Returns 0 if the index is out of bounds. */
MER_INLINE int tam_view_offset(const struct tam_view *view, unsigned dims, int64_t i, int64_t j, int64_t k,
                               uint64_t *at) {
    uint64_t i0 = (uint64_t)i - (uint64_t)view->lower[0], i1 = (uint64_t)j - (uint64_t)view->lower[1];
    uint64_t i2 = (uint64_t)k - (uint64_t)view->lower[2];
    if (__builtin_expect(i0 >= view->extent[0] || (dims > 1 && i1 >= view->extent[1]) ||
                             (dims > 2 && i2 >= view->extent[2]),
                         0))
        return 0;
    *at = tam_view_number(view, dims, i, j, k);
    return 1;
}
/* Returns the address of an element whose index is within the bounds. */
MER_INLINE tam_word *tam_view_at(const struct tam_view *view, unsigned dims, int64_t i, int64_t j,
                                 int64_t k) {
    return view->elements + tam_view_number(view, dims, i, j, k);
}
/* Returns whether `more' + 1 states at a distance of `step' all equal `state'.  Other processors of the host
 * may fill elements meanwhile; the fence acquires what tam_fill has released, with the values. */
MER_INLINE int tam_all(const uint8_t *at, int64_t step, uint64_t more, uint8_t state) {
    if (step == 1 && more >= 7) {
        uint64_t all = 0x0101010101010101ULL * state, differ = 0, eight;
        for (uint64_t n = 0; n + 7 <= more; n += 8) {
            memcpy(&eight, at + n, 8);
            if (eight != all)
                return 0;
        }
        memcpy(&eight, at + more - 7, 8);
        differ = eight ^ all;
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        return differ == 0;
    }
    for (uint64_t n = 0; n <= more; n++)
        if (__atomic_load_n(at + (int64_t)n * step, __ATOMIC_RELAXED) != state)
            return 0;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return 1;
}
/* Returns whether elements at equal distances, from one index to another, the first and `more' others, have a
 * state. */
MER_INLINE int tam_range(const struct tam_view *view, unsigned dims, int64_t i, int64_t j, int64_t k,
                         int64_t i2, int64_t j2, int64_t k2, uint64_t more, uint8_t state) {
    uint64_t from, to;
    if (!tam_view_offset(view, dims, i, j, k, &from) || !tam_view_offset(view, dims, i2, j2, k2, &to))
        return 0;
    int64_t step = to - from == more ? 1 : to == from ? 0 : (int64_t)(to - from) / (int64_t)more;
    return tam_all(view->states + from, step, step ? more : 0, state);
}
MER_INLINE int tam_range_full(const struct tam_view *view, unsigned dims, int64_t i, int64_t j, int64_t k,
                              int64_t i2, int64_t j2, int64_t k2, uint64_t more) {
    return tam_range(view, dims, i, j, k, i2, j2, k2, more, TAM_FULL);
}
/* Returns whether all elements of a box, from its first index to its last, are full. */
MER_INLINE int tam_box_full(const struct tam_view *view, unsigned dims, int64_t i, int64_t j, int64_t k,
                            int64_t i2, int64_t j2, int64_t k2) {
    uint64_t from, to;
    if (!tam_view_offset(view, dims, i, j, k, &from) || !tam_view_offset(view, dims, i2, j2, k2, &to))
        return 0;
    uint64_t planes = dims == 3 ? (uint64_t)(i2 - i) : 0;
    uint64_t rows = dims == 3 ? (uint64_t)(j2 - j) : dims == 2 ? (uint64_t)(i2 - i) : 0;
    uint64_t more = (uint64_t)(dims == 3 ? k2 - k : dims == 2 ? j2 - j : i2 - i);
    if ((planes + 1) * (rows + 1) * (more + 1) == to - from + 1) /* contiguous */
        return tam_all(view->states + from, 1, to - from, TAM_FULL);
    for (uint64_t p = 0; p <= planes; p++)
        for (uint64_t r = 0; r <= rows; r++) {
            uint64_t row = dims == 3 ? p * view->extent[1] + r : r;
            if (!tam_all(view->states + from + row * view->extent[dims - 1], 1, more, TAM_FULL))
                return 0;
        }
    return 1;
}
/* tam_range for empty elements of an array on this processor that no other processor knows. */
MER_INLINE int tam_range_empty(tam_word array, const struct tam_view *view, unsigned dims, int64_t i,
                               int64_t j, int64_t k, int64_t i2, int64_t j2, int64_t k2, uint64_t more) {
    return tam_is_here(array) && view->elements &&
           !(__atomic_load_n(&tam_at(array)->kind, __ATOMIC_ACQUIRE) & (TAM_SHARED | TAM_MUTABLE)) &&
           tam_range(view, dims, i, j, k, i2, j2, k2, more, TAM_EMPTY);
}
/* tam_range_empty for elements that the caller will all fill or give back.  If others know the array, the
 * elements are claimed, or as many of the first ones as are empty: `claimed' becomes 1, and *more the number
 * of claimed elements less one. */
MER_INLINE int tam_range_claim(tam_word array, const struct tam_view *view, unsigned dims, int64_t i,
                               int64_t j, int64_t k, int64_t i2, int64_t j2, int64_t k2, uint64_t *more,
                               int *claimed) {
    uint64_t from, to;
    if (!view->elements)
        return 0;
    unsigned kind = __atomic_load_n(&tam_at(array)->kind, __ATOMIC_ACQUIRE);
    if (__builtin_expect(!(kind & TAM_SHARED), 1))
        return tam_range_empty(array, view, dims, i, j, k, i2, j2, k2, *more);
    /* A reference that is stored on another processor has to be exported. */
    if (kind & TAM_MUTABLE || !(kind & TAM_NUMBERS || tam_is_here(array)) ||
        !tam_view_offset(view, dims, i, j, k, &from) || !tam_view_offset(view, dims, i2, j2, k2, &to))
        return 0;
    uint64_t count = tam_claim(view->states + from, (int64_t)(to - from) / (int64_t)*more, *more + 1);
    *more = count - 1;
    *claimed = 1;
    return count > 0;
}
/* Releases the claimed elements that are not full, from one index to another. */
MER_INLINE void tam_range_back(const struct tam_view *view, unsigned dims, int64_t i, int64_t j, int64_t k,
                               int64_t i2, int64_t j2, int64_t k2, uint64_t more) {
    uint64_t from = tam_view_number(view, dims, i, j, k), to = tam_view_number(view, dims, i2, j2, k2);
    tam_give_back(view->states + from, more ? (int64_t)(to - from) / (int64_t)more : 1, more + 1);
}
/* Fills an element that is known to be empty or claimed. */
MER_INLINE void tam_fill_sure(tam_word *element, const struct tam_view *view, tam_word value) {
    tam_fill(element, view->states + (element - view->elements), value);
    TAM_COUNT(STORE_HERE, 1);
}
/* tam_element_here, and tam_put, by a view. */
MER_INLINE int tam_view_read(const struct tam_view *view, unsigned dims, int64_t i, int64_t j, int64_t k,
                             tam_word *value) {
    uint64_t at;
    if (!tam_view_offset(view, dims, i, j, k, &at))
        return 0;
    if (__builtin_expect(!tam_is_full(&view->states[at]), 0))
        return 0;
    *value = view->elements[at];
    TAM_COUNT(FETCH_HERE, 1);
    return 1;
}
MER_INLINE void tam_view_put(const struct tam_view *view, struct tam_join *join, tam_word array,
                             unsigned dims, int64_t i, int64_t j, int64_t k, tam_word value, uint32_t site) {
    uint64_t at;
    if (__builtin_expect(
            !tam_view_offset(view, dims, i, j, k, &at) ||
                !tam_fill_here(array, tam_at(array), view->elements + at, view->states + at, value),
            0))
        tam_store(join, array, TAM_I, dims, i, j, k, value, site);
}

#endif
