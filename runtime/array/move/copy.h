/* Copies of boxes: elements that lie at regular distances in two memories, in up to seven dimensions.
 *
 * A copy is prepared once, and run many times at different places.  Preparation merges dimensions that
 * continue each other, and chooses a kernel of the innermost loop for its number of bytes. */
#ifndef MER_ARRAY_COPY_H
#define MER_ARRAY_COPY_H

#include "array/layout/geometry.h"

/* Copies n rows of `run' bytes, to_step and from_step apart. */
typedef void mer_copy_kernel(char *to, const char *from, long n, ptrdiff_t to_step, ptrdiff_t from_step,
                             size_t run);

struct mer_copy {
    mer_copy_kernel *kernel;
    size_t run; /* contiguous bytes */
    int dims;   /* over the runs; dimension 0 is the kernel's */
    long n[RANK];
    ptrdiff_t to[RANK], from[RANK];
};

/* Prepares a copy of count[k] elements of `size' bytes along dimension k, at distances of to[k] and from[k]
 * bytes.  A distance of 0 in `from' repeats an element. */
void mer_copy_prepare(struct mer_copy *copy, size_t size, int rank, const long *count, const ptrdiff_t *to,
                      const ptrdiff_t *from);

/* Returns the bytes of a copy. */
size_t mer_copy_bytes(const struct mer_copy *copy);

/* Makes the copy store past the caches (cache.h), if its contiguous runs are long enough. */
void mer_copy_stream(struct mer_copy *copy);

/* Makes the copy one contiguous run that includes the gaps between its runs, if the gaps are the same in both
 * memories and at most half as long as the runs.  Otherwise returns false and changes nothing. */
bool mer_copy_through(struct mer_copy *copy);

/* Call each(context, offset in to, offset in from) for every run of contiguous bytes. */
void mer_copy_each(const struct mer_copy *copy, void (*each)(void *context, ptrdiff_t to, ptrdiff_t from),
                   void *context);

/* Runs the copy; the two memories must not overlap. */
void mer_copy_run_dims(const struct mer_copy *copy, char *to, const char *from);
static inline void mer_copy_run(const struct mer_copy *copy, char *to, const char *from) {
    if (copy->dims <= 1)
        copy->kernel(to, from, copy->n[0], copy->to[0], copy->from[0], copy->run);
    else
        mer_copy_run_dims(copy, to, from);
}

#endif
