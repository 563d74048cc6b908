/* Automatic spread and dist objects, which all processors declare together.  Their memory is allocated when
 * the declaration is reached, and freed at the end of its scope.
 *
 * A longjmp skips ends of scopes.  All processors have to make it, as all declare; the objects of the scopes
 * that they leave are then freed at the next such declaration or end of a scope.  Only processor 0 frees
 * memory, so it alone keeps a list, innermost last, of the variables that hold the objects' addresses.  A
 * variable is dead when its declaration is reached again, when an object declared before it ends, or when it
 * lies below the frame that declares: stacks grow downwards.  The last test is made only on the main
 * program's stack, since a program may have others.  When all have come to the next declaration, all are
 * known to have left the scope; so memory for the new object is allocated before dead objects are freed.
 *
 * exit ends no scope: the objects stay until the job ends.
 */
#include "dialect/split_c/spread.h"

#include "host/job.h"
#include "base/fatal.h"
#include "host/layout.h"
#include "sync/barrier.h"

#include <meridian/everything.h>
#include <split-c/split-c.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct live {
    mer_u64 *variable, native;
};
static struct live *list; /* processor 0's */
static size_t length, capacity;

static void append(mer_u64 *variable, mer_u64 native, const char *where) {
    if (length == capacity) {
        capacity = capacity ? 2 * capacity : 16;
        list = realloc(list, capacity * sizeof *list);
        if (!list)
            mer_fatal("%s: there is no memory left for this spread or dist object", where);
    }
    list[length++] = (struct live){variable, native};
}

static void free_down_to(size_t left) {
    while (length > left)
        spread_free(mer_mk(mer_bits(0, list[--length].native)));
}

static bool on_main_stack(const void *p) {
    const char *low = mer_view(mer_job.mythread, mer_layout.stack);
    return (mer_u64)((const char *)p - low) < mer_layout.local_state - mer_layout.stack;
}

/* Frees the objects that a longjmp has left over; the function of `frame' is about to declare `variable'. */
static void free_dead(const mer_u64 *variable, const void *frame) {
    size_t left = length;
    if (on_main_stack(frame))
        while (left && on_main_stack(list[left - 1].variable) &&
               (const void *)list[left - 1].variable < frame)
            left--;
    for (size_t i = 0; i < left; i++)
        if (list[i].variable == variable)
            left = i;
    free_down_to(left);
}

mer_u64 mer_automatic(mer_u64 *variable, mer_i64 count, mer_size size, const char *where) {
    if (count < 0)
        mer_fatal("%s: a spread or dist array of %lld elements is declared", where, (long long)count);
    mer_ptr p = mer_spread_together(count ? (mer_size)count : 1, size ? size : 1,
                                    "the declaration of a spread or dist object");
    if (!p.bits)
        mer_fatal("%s: there is no memory left for this spread or dist object", where);
    if (mer_job.mythread == 0) {
        free_dead(variable, __builtin_frame_address(0));
        append(variable, mer_native(p.bits), where);
    }
    return mer_native(p.bits);
}

void mer_automatic_free(mer_u64 *variable) {
    mer_barrier_collective("the end of a spread or dist object's scope");
    for (size_t i = length; i-- > 0;)
        if (list[i].variable == variable)
            free_down_to(i);
}

void mer_automatic_init(mer_u64 native, mer_i64 count, mer_size size, const void *image, mer_size bytes) {
    char *own = mer_at(mer_bits((mer_u64)mer_job.mythread, native));
    for (mer_u64 unit = (mer_u64)mer_job.mythread; unit < (mer_u64)count; unit += (mer_u64)mer_job.threads) {
        if ((unit + 1) * size <= bytes)
            memcpy(own, (const char *)image + unit * size, size);
        else
            memset(own, 0, size);
        own += size;
    }
    mer_barrier_collective("the initialisation of a spread or dist object");
}
