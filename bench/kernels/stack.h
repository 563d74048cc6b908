/* The stack of a depth-first search, for programs that define before the include the type `item', the least
 * number of items worth giving away (LEAST_SHARED), and need(). */
#ifndef KERNELS_STACK_H
#define KERNELS_STACK_H

#define MOST_SHARED 4096 /* items that are given away at once */

struct stack {
    item *items;
    long top, capacity;
};

/* Returns the place on top of the stack for `more' items. */
static inline item *reserve(struct stack *s, long more) {
    if (s->top + more > s->capacity) {
        s->capacity = 2 * (s->top + more);
        s->items = need(realloc(s->items, s->capacity * sizeof *s->items));
    }
    return s->items + s->top;
}

static inline bool can_share(const struct stack *s) { return s->top >= 2 * LEAST_SHARED; }

/* Moves the lower half, which has the large parts of the work, to `to'. Returns the number of items. */
static inline long take_lower(struct stack *s, item *to) {
    long n = s->top / 2 < MOST_SHARED ? s->top / 2 : MOST_SHARED;
    memcpy(to, s->items, n * sizeof *to);
    s->top -= n;
    memmove(s->items, s->items + n, s->top * sizeof *s->items);
    return n;
}

#endif
