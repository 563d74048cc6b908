/* Loops by vectors (unroll.c, reassociate.c): the file LOOPS is included for each length of vectors
 * (processor.h) and each type.  For x86-64 alone.  LOOPS uses these names:
 *
 *     T, V           the type of elements and of vectors, which need not be aligned
 *     BYTES, LANES   bytes and elements of a vector
 *     COLUMNS        vectors of a group: 4; with AVX2 COLUMNS_AVX2
 *     MASK, MASK_OF  the type of a mask of elements of a vector, and a mask from the bits of a number
 *     LOAD, STORE    load, store the elements in a mask
 *     STREAM         store an aligned vector past the caches
 *     FMA            a * b + c, rounded once
 *     NAME           a name for these vectors and this type
 *     INLINE         for functions that are compiled for these vectors, and inlined
 *     ROUTINE        for functions that are compiled for these vectors, and not inlined */
#ifndef MER_ARRAY_VECTORS_H
#define MER_ARRAY_VECTORS_H

#include "array/layout/cache.h"
#include "array/layout/processor.h"
#include "array/stencil/unroll.h"

#include <immintrin.h>

#define LINE MER_LINE
#define ALL _Pragma("GCC unroll 4")
#define EVERYWHERE __attribute__((always_inline)) static inline

typedef float floats_32 __attribute__((vector_size(32), aligned(4), may_alias));
typedef float floats_64 __attribute__((vector_size(64), aligned(4), may_alias));
typedef double doubles_32 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double doubles_64 __attribute__((vector_size(64), aligned(8), may_alias));

/* Prefetches `bytes' bytes of a row ahead of u, and of `made', at those distances of `at' that are not 0. */
EVERYWHERE void fetch_columns(const char *u, const char *made, const struct mer_unroll_at *at, int bytes) {
    for (int k = 0; k < bytes; k += LINE) {
        if (at->ahead)
            __builtin_prefetch(u + at->ahead + k, 0, 3);
        if (at->ahead_made)
            __builtin_prefetch(made + at->ahead_made + k, 0, 3);
    }
}

/* The mask of AVX2 is the highest bit of each element. */
__attribute__((always_inline, target("avx2"))) static inline __m256i mask_of_4(unsigned bits) {
    return _mm256_sllv_epi64(_mm256_set1_epi64x(bits), _mm256_setr_epi64x(63, 62, 61, 60));
}
__attribute__((always_inline, target("avx2"))) static inline __m256i mask_of_8(unsigned bits) {
    return _mm256_sllv_epi32(_mm256_set1_epi32((int)bits), _mm256_setr_epi32(31, 30, 29, 28, 27, 26, 25, 24));
}

#define NAME_OF(name, type, set) name##_##type##_##set
#define NAME_FOR(name, type, set) NAME_OF(name, type, set)
#define NAME(name) NAME_FOR(name, T, SET)
#define INLINE __attribute__((always_inline, target(TARGET))) static inline
#define ROUTINE __attribute__((target(TARGET))) static
#define LANES ((long)(BYTES / sizeof(T)))

#define SET avx2
#define TARGET "avx2,fma"
#define BYTES 32
#define COLUMNS COLUMNS_AVX2
#define MASK __m256i

#define T double
#define V doubles_32
#define MASK_OF(bits) mask_of_4(bits)
#define LOAD(at, mask) (V) _mm256_maskload_pd(at, mask)
#define STORE(at, mask, v) _mm256_maskstore_pd(at, mask, (__m256d)(v))
#define STREAM(at, v) _mm256_stream_pd(at, (__m256d)(v))
#define FMA(a, b, c) (V) _mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c))
#include LOOPS
#undef T
#undef V
#undef MASK_OF
#undef LOAD
#undef STORE
#undef STREAM
#undef FMA

#define T float
#define V floats_32
#define MASK_OF(bits) mask_of_8(bits)
#define LOAD(at, mask) (V) _mm256_maskload_ps(at, mask)
#define STORE(at, mask, v) _mm256_maskstore_ps(at, mask, (__m256)(v))
#define STREAM(at, v) _mm256_stream_ps(at, (__m256)(v))
#define FMA(a, b, c) (V) _mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c))
#include LOOPS
#undef T
#undef V
#undef MASK_OF
#undef LOAD
#undef STORE
#undef STREAM
#undef FMA

#undef SET
#undef TARGET
#undef BYTES
#undef COLUMNS
#undef MASK
#define SET avx512
#define TARGET "avx512f"
#define BYTES 64
#define COLUMNS 4

#define T double
#define V doubles_64
#define MASK __mmask8
#define MASK_OF(bits) (__mmask8)(bits)
#define LOAD(at, mask) (V) _mm512_maskz_loadu_pd(mask, at)
#define STORE(at, mask, v) _mm512_mask_storeu_pd(at, mask, (__m512d)(v))
#define STREAM(at, v) _mm512_stream_pd(at, (__m512d)(v))
#define FMA(a, b, c) (V) _mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c))
#include LOOPS
#undef T
#undef V
#undef MASK
#undef MASK_OF
#undef LOAD
#undef STORE
#undef STREAM
#undef FMA

#define T float
#define V floats_64
#define MASK __mmask16
#define MASK_OF(bits) (__mmask16)(bits)
#define LOAD(at, mask) (V) _mm512_maskz_loadu_ps(mask, at)
#define STORE(at, mask, v) _mm512_mask_storeu_ps(at, mask, (__m512)(v))
#define STREAM(at, v) _mm512_stream_ps(at, (__m512)(v))
#define FMA(a, b, c) (V) _mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(c))
#include LOOPS
#undef T

#endif
