/* The geometry manager: how an array is cut into blocks and which thread has which block (TR-18-93,
 * section 2.1).
 *
 * A geometry is a value: arrays with equal ones are laid out alike.  Of memory it knows only the shape that a
 * block has there. */
#ifndef MER_ARRAY_GEOMETRY_H
#define MER_ARRAY_GEOMETRY_H

#include <meridian/array.h>
#include <stdbool.h>

#define RANK MER_ARRAY_RANK

struct mer_geometry {
    int rank;
    enum mer_type type;
    enum mer_memory_order order;
    size_t size; /* bytes of an element */
    long extent[RANK], block[RANK];
    int halo[RANK];
    int processes[RANK];
    int step[RANK]; /* threads from a place of the axis's code to the next one */
    int serial[RANK];
    enum mer_axis_order axis_order[RANK];
    ptrdiff_t stride[RANK]; /* bytes */
    size_t bytes;           /* of a block with its halo */
    size_t origin;          /* bytes before the first element that is no halo */
};

/* Sets *g to the geometry of a spec for a job of so many threads, and returns null; or returns the error in
 * the spec as text, valid until the next call. */
const char *mer_geometry_settle(struct mer_geometry *g, const struct mer_array_spec *spec,
                                const struct mer_geometry *align, int threads);

/* Return the thread that has a block; and set the block of a thread, false if the thread has none. */
int mer_geometry_thread(const struct mer_geometry *g, const int place[RANK]);
bool mer_geometry_place(const struct mer_geometry *g, int thread, int place[RANK]);

/* Returns how many elements of axis k block c has: less than block[k] at the end. */
static inline long mer_geometry_count(const struct mer_geometry *g, int k, int c) {
    long left = g->extent[k] - g->block[k] * c;
    return left < 0 ? 0 : left < g->block[k] ? left : g->block[k];
}

/* Returns axis i in the order of memory, the fastest first: axis(g, 0) is contiguous. */
static inline int mer_geometry_axis(const struct mer_geometry *g, int i) {
    return g->order == MER_ROW_MAJOR ? g->rank - 1 - i : i;
}

/* Encode place i of an axis of p processes in NEWS order, and decode it.  The order is a reflected code over
 * the prime factors of p, so that neighbours differ in one digit by one; for powers of two it is the
 * binary-reflected Gray code. */
int mer_geometry_news(int i, int p);
int mer_geometry_news_back(int code, int p);

#endif
