/* A distributed array: a geometry, and the places of its blocks. */
#ifndef MER_ARRAY_OBJECT_H
#define MER_ARRAY_OBJECT_H

#include "array/layout/runtime.h"
#include "array/layout/call.h"
#include "array/layout/geometry.h"

struct mer_array {
    const struct mer_geometry *g; /* shared by arrays that are laid out alike; null if the array is freed */
    uint64_t number;              /* for messages, and the same on all threads */
    uint64_t native;              /* address of its own, symmetric memory; 0 if it is over other memory */
    mer_u64 *base;                /* over other memory: the bits of each thread's first element; else null */
    char *local;                  /* this thread's first element; null if it has no block */
    struct mer_array *next_known; /* in the list of mer_array_known */
};

/* Returns true if the pointer is to an array, or to one of those freed last.  Does not follow the pointer:
 * for lists, which may be shorter than the caller says. */
bool mer_array_known(const void *array);

/* Descriptors of the arrays, or stencils, that were freed last, which are kept so that calls with one of them
 * can report it. */
#define MER_FREED_KNOWN 256
struct mer_freed {
    void *known[MER_FREED_KNOWN];
    size_t next;
};
/* Keeps one more descriptor.  Returns the one that is kept no longer, which the caller frees, or null. */
void *mer_freed_keep(struct mer_freed *freed, void *descriptor);

/* Returns the bits of the first element of the block of thread t, which has one. */
static inline mer_u64 mer_array_bits(const struct mer_array *a, int t) {
    return a->base ? a->base[t] : mer_bits((mer_u64)t, a->native + a->g->origin);
}

/* The number of arrays freed so far.  Facts stored by the addresses of arrays are valid as long as it does
 * not change. */
extern uint64_t mer_arrays_freed;

/* Returns the one geometry that equals *g; it is kept for the life of the program. */
const struct mer_geometry *mer_geometry_kept(const struct mer_geometry *g);

/* Returns a digest of a geometry, the same on all threads. */
uint64_t mer_geometry_digest(const struct mer_geometry *g);

/* Fatal, in the call that this thread is in, if the two arrays are not of one type, shape and layout. */
void mer_array_check_alike(const struct mer_array *a, const struct mer_array *b);

/* Fatal likewise if the array differs from the prototype g of `owner', the set-up or stencil of the call
 * ("set-up 3").  role: the array's role in the call (", the result of shift 0,"), or empty. */
void mer_array_check_prototype(const struct mer_array *a, const struct mer_geometry *g, const char *role,
                               const char *owner);

/* Fatal if a is null, or one of the arrays freed last; outside of a call: `call' names it. */
void mer_array_check(const struct mer_array *a, const char *call);

/* Fatal likewise if `at' is null, the caller's memory for an array's description or elements (`what'). */
void mer_array_check_memory(const struct mer_array *a, const char *call, const void *at, const char *what);

#endif
