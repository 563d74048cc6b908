/* On one host a neighbour's memory is memory: copies are the C library's, at its speed.
 *
 * memmove where both sides are shared: the objects may not overlap (restrict), but a program whose copy is of
 * an object onto itself is common enough to be kept whole. */
#include "rma/copy.h"

#include "core/message.h"

#include <string.h>

static void check(mer_u64 bits, const char *name) {
    if (__builtin_expect(!bits, 0))
        mer_fatal("%s: the pointer-to-shared is null", name);
}

void mer_rma_get(void *to, mer_u64 from, size_t n, const char *name) {
    if (n == 0)
        return;
    check(from, name);
    memcpy(to, mer_at(from), n);
}

void mer_rma_put(mer_u64 to, const void *from, size_t n, const char *name) {
    if (n == 0)
        return;
    check(to, name);
    memcpy(mer_at(to), from, n);
}

void mer_rma_copy(mer_u64 to, mer_u64 from, size_t n, const char *name) {
    if (n == 0)
        return;
    check(to, name);
    check(from, name);
    memmove(mer_at(to), mer_at(from), n);
}

void mer_rma_set(mer_u64 to, int c, size_t n, const char *name) {
    if (n == 0)
        return;
    check(to, name);
    memset(mer_at(to), c, n);
}
