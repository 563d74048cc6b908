/* A distributed array: a geometry, and where its blocks are. */
#ifndef MER_ARRAY_OBJECT_H
#define MER_ARRAY_OBJECT_H

#include "array/below.h"
#include "array/call.h"
#include "array/geometry.h"

struct mer_array {
    const struct mer_geometry *g; /* arrays that are laid out alike have the same one; null: it is freed */
    uint64_t number;              /* for messages, and the same on all threads */
    uint64_t native;              /* of the memory made for it, symmetric; 0: it is over memory of others */
    mer_u64 *base; /* over memory of others: the bits of each thread's first element; else null */
    char *local;   /* this thread's first element; null: it has no block */
    struct mer_array *next_known; /* of mer_array_known */
};

/* Whether there is such an array, or one of those freed last was there: for lists, which may be shorter than
 * the caller says.  The pointer is not followed. */
bool mer_array_known(const void *array);

/* Descriptors of arrays, or of stencils, that were freed last, which are kept so that calls with one of them
 * can say so. */
#define MER_FREED_KNOWN 256
struct mer_freed {
    void *known[MER_FREED_KNOWN];
    size_t next;
};
/* Keeps one more; the one that is kept no longer, whose memory is the caller's, or null. */
void *mer_freed_keep(struct mer_freed *freed, void *descriptor);

/* The bits of the first element of thread t's block, which has one. */
static inline mer_u64 mer_array_bits(const struct mer_array *a, int t) {
    return a->base ? a->base[t] : mer_bits((mer_u64)t, a->native + a->g->origin);
}

/* How many arrays have been freed: what is remembered of arrays by their addresses holds while it is the
 * same. */
extern uint64_t mer_arrays_freed;

/* The one geometry that equals *g; kept for the life of the program. */
const struct mer_geometry *mer_geometry_kept(const struct mer_geometry *g);

/* A digest of a geometry, the same on all threads. */
uint64_t mer_geometry_digest(const struct mer_geometry *g);

/* Fatal, in the call that this thread is in, if the two arrays are not of one type, shape and layout. */
void mer_array_check_alike(const struct mer_array *a, const struct mer_array *b);

/* Likewise if the array is not as the prototype was of what the call goes by, `owner' ("set-up 3").  role:
 * what the array is in the call (", the result of shift 0,"), or empty. */
void mer_array_check_prototype(const struct mer_array *a, const struct mer_geometry *g, const char *role,
                               const char *owner);

/* Fatal if a is null, or one of the arrays freed last; outside of a call: `call' names it. */
void mer_array_check(const struct mer_array *a, const char *call);

/* Likewise if the memory of the caller's at which an array's description or elements go, `what', is null. */
void mer_array_check_memory(const struct mer_array *a, const char *call, const void *at, const char *what);

#endif
