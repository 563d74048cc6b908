/* Partial results of a computation: the value of some elements, or that there were none. */
#ifndef MER_COLL_PARTIAL_H
#define MER_COLL_PARTIAL_H

#include "coll/kernel.h"
#include "coll/ring.h"

#include <string.h>

struct mer_partial {
    bool any;
    struct mer_element value;
};

/* p op= from[0] op ... op from[n - 1] */
static inline void mer_partial_fold(struct mer_partial *p, const struct mer_reduction *r, const void *from,
                                    size_t n) {
    if (n == 0)
        return;
    if (!p->any) {
        memcpy(&p->value, from, r->kernel->size);
        p->any = true;
        from = (const char *)from + r->kernel->size;
        n--;
    }
    if (n)
        r->kernel->fold[r->op](&p->value, from, n, r->func);
}

/* As mer_partial_fold; to[i] gets the value of p after element i.  to may be from. */
static inline void mer_partial_scan(struct mer_partial *p, const struct mer_reduction *r, void *to,
                                    const void *from, size_t n) {
    size_t size = r->kernel->size;
    if (n == 0)
        return;
    if (!p->any) {
        memcpy(&p->value, from, size);
        memmove(to, from, size);
        p->any = true;
        from = (const char *)from + size;
        to = (char *)to + size;
        n--;
    }
    if (n)
        r->kernel->scan[r->op](&p->value, to, from, n, r->func);
}

/* p op= next */
static inline void mer_partial_follow(struct mer_partial *p, const struct mer_reduction *r,
                                      const struct mer_partial *next) {
    if (next->any)
        mer_partial_fold(p, r, &next->value, 1);
}

/* Partials in the threads' ring slots (ring.h). */
static inline void mer_partial_put(struct mer_ring_slot *slot, const struct mer_partial *p) {
    slot->tag = p->any;
    memcpy(slot->data, &p->value, sizeof p->value);
}

/* p op= the slot's partial */
static inline void mer_partial_join(struct mer_partial *p, const struct mer_reduction *r,
                                    const struct mer_ring_slot *slot) {
    if (slot->tag)
        mer_partial_fold(p, r, slot->data, 1);
}

/* p op= elements first ... end - 1 of r->src, in their order, wherever they lie. */
void mer_partial_range(struct mer_partial *p, const struct mer_reduction *r, size_t first, size_t end);

#endif
