/* Copies of boxes, see copy.h.  One kernel for each usual number of bytes, all made by one macro: a copy of
 * fixed length is a few moves, while a call of memcpy would cost more than the bytes. */
#include "array/move/copy.h"

#include "array/layout/cache.h"

#include <meridian/abi/bytes.h>

#include <stdbool.h>
#include <string.h>

#define STREAMED 1024 /* least bytes of a run that is stored past the caches */

#define SIZES(X) X(1) X(2) X(4) X(6) X(8) X(12) X(16) X(24) X(32) X(40) X(48) X(56) X(64) X(96) X(112) X(128)

#define KERNEL(bytes)                                                                                        \
    static void rows_of_##bytes(char *to, const char *from, long n, ptrdiff_t to_step, ptrdiff_t from_step,  \
                                size_t run) {                                                                \
        (void)run;                                                                                           \
        for (long i = 0; i < n; i++, to += to_step, from += from_step)                                       \
            memcpy(to, from, bytes);                                                                         \
    }
SIZES(KERNEL)

static void rows_of_any(char *to, const char *from, long n, ptrdiff_t to_step, ptrdiff_t from_step,
                        size_t run) {
    for (long i = 0; i < n; i++, to += to_step, from += from_step)
        mer_bytes_copy(to, from, run);
}

static void rows_streamed(char *to, const char *from, long n, ptrdiff_t to_step, ptrdiff_t from_step,
                          size_t run) {
    for (long i = 0; i < n; i++, to += to_step, from += from_step)
        mer_stream_copy(to, from, run);
}

static mer_copy_kernel *kernel_for(size_t run) {
    switch (run) {
#define CASE(bytes)                                                                                          \
    case bytes:                                                                                              \
        return rows_of_##bytes;
        SIZES(CASE)
    }
    return rows_of_any;
}

static void swap_dims(struct mer_copy *c, int a, int b) {
    long n = c->n[a];
    ptrdiff_t to = c->to[a], from = c->from[a];
    c->n[a] = c->n[b], c->to[a] = c->to[b], c->from[a] = c->from[b];
    c->n[b] = n, c->to[b] = to, c->from[b] = from;
}

static void drop_dim(struct mer_copy *c, int d) {
    for (c->dims--; d < c->dims; d++)
        swap_dims(c, d, d + 1);
}

void mer_copy_prepare(struct mer_copy *c, size_t size, int rank, const long *count, const ptrdiff_t *to,
                      const ptrdiff_t *from) {
    memset(c, 0, sizeof *c);
    c->run = size;
    for (int k = 0; k < rank; k++)
        if (count[k] != 1) {
            c->n[c->dims] = count[k], c->to[c->dims] = to[k], c->from[c->dims] = from[k];
            for (int d = c->dims++; d > 0 && c->to[d] < c->to[d - 1]; d--)
                swap_dims(c, d, d - 1);
        }
    while (c->dims && c->to[0] == (ptrdiff_t)c->run && c->from[0] == (ptrdiff_t)c->run) {
        c->run *= (size_t)c->n[0];
        drop_dim(c, 0);
    }
    for (int d = 0; d + 1 < c->dims;)
        if (c->to[d + 1] == c->n[d] * c->to[d] && c->from[d + 1] == c->n[d] * c->from[d]) {
            c->n[d] *= c->n[d + 1];
            drop_dim(c, d + 1);
        } else {
            d++;
        }
    if (c->dims == 0)
        c->n[0] = 1;
    c->kernel = kernel_for(c->run);
}

size_t mer_copy_bytes(const struct mer_copy *c) {
    size_t bytes = c->run;
    for (int d = 0; d < c->dims; d++)
        bytes *= (size_t)c->n[d];
    return bytes;
}

void mer_copy_stream(struct mer_copy *c) {
    if (c->run >= STREAMED)
        c->kernel = rows_streamed;
}

bool mer_copy_through(struct mer_copy *c) {
    ptrdiff_t run = (ptrdiff_t)c->run, gap = c->to[0] - run;
    if (c->dims != 1 || c->to[0] != c->from[0] || gap <= 0 || 2 * gap > run)
        return false;
    c->run += (size_t)((c->n[0] - 1) * c->to[0]);
    c->dims = 0;
    c->n[0] = 1;
    c->kernel = kernel_for(c->run);
    return true;
}

/* Steps to the next place of both sides, in the dimensions from `first' on; returns false after the last
 * place.  A few additions for each call, inlined. */
static inline bool step(const struct mer_copy *c, int first, long *at, ptrdiff_t *to, ptrdiff_t *from) {
    for (int d = first; d < c->dims; d++) {
        *to += c->to[d], *from += c->from[d];
        if (++at[d] < c->n[d])
            return true;
        *to -= at[d] * c->to[d], *from -= at[d] * c->from[d];
        at[d] = 0;
    }
    return false;
}

void mer_copy_run_dims(const struct mer_copy *c, char *to, const char *from) {
    long at[RANK] = {0};
    ptrdiff_t t = 0, f = 0;
    do
        c->kernel(to + t, from + f, c->n[0], c->to[0], c->from[0], c->run);
    while (step(c, 1, at, &t, &f));
}

void mer_copy_each(const struct mer_copy *c, void (*each)(void *context, ptrdiff_t to, ptrdiff_t from),
                   void *context) {
    long at[RANK] = {0};
    ptrdiff_t to = 0, from = 0;
    do
        each(context, to, from);
    while (step(c, 0, at, &to, &from));
}
