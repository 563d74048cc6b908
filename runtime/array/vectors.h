/* What loops by vectors of AVX-512 share (unroll.c, regroup.c): functions that are compiled for it wherever
 * they are inlined, groups of vectors, stores past the caches, and prefetching.  For x86-64 alone. */
#ifndef MER_ARRAY_VECTORS_H
#define MER_ARRAY_VECTORS_H

#include "array/cache.h"
#include "array/unroll.h"

#include <immintrin.h>

#define LINE MER_LINE
#define COLUMNS 4 /* vectors of a group */
#define INLINE __attribute__((always_inline, target("avx512f"))) static inline
#define ALL _Pragma("GCC unroll 4")
#define STREAM_DOUBLES(at, v) _mm512_stream_pd(at, (__m512d)(v))
#define STREAM_FLOATS(at, v) _mm512_stream_ps(at, (__m512)(v))

typedef float floats __attribute__((vector_size(64), aligned(4), may_alias));
typedef double doubles __attribute__((vector_size(64), aligned(8), may_alias));

/* Prefetches a group of a row that comes behind the one at u, and at `made', as far as `at' says. */
INLINE void fetch_columns(const char *u, const char *made, const struct mer_unroll_at *at) {
    for (int k = 0; k < COLUMNS; k++) {
        if (at->ahead)
            __builtin_prefetch(u + at->ahead + k * LINE, 0, 3);
        if (at->ahead_made)
            __builtin_prefetch(made + at->ahead_made + k * LINE, 0, 3);
    }
}

#endif
