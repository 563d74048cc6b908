/* The stack of a depth-first search, for programs that say before what an `item' is, how many items are worth
 * giving away (LEAST_SHARED), and have need(). */
#ifndef KERNELS_STACK_H
#define KERNELS_STACK_H

#define MOST_SHARED 4096 /* items that are given away at once */

struct stack {
    item *items;
    long top, capacity;
};

/* Where `more' items have their place, on top. */
static inline item *reserve(struct stack *s, long more) {
    if (s->top + more > s->capacity) {
        s->capacity = 2 * (s->top + more);
        s->items = need(realloc(s->items, s->capacity * sizeof *s->items));
    }
    return s->items + s->top;
}

static inline bool can_share(const struct stack *s) { return s->top >= 2 * LEAST_SHARED; }

/* Moves the lower half, where the large parts of the work are, to `to'; how many items. */
static inline long take_lower(struct stack *s, item *to) {
    long n = s->top / 2 < MOST_SHARED ? s->top / 2 : MOST_SHARED;
    memcpy(to, s->items, n * sizeof *to);
    s->top -= n;
    memmove(s->items, s->items + n, s->top * sizeof *s->items);
    return n;
}

#endif
