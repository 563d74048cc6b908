/* The innermost loops of stencils, see rows.h: one for each element type, number of terms and instruction
 * set, all made by one macro.  Products and sums are not contracted (CMakeLists.txt), so that all sets give
 * the same bits. */
#include "array/stencil/rows.h"

#include "array/layout/cache.h"
#include "array/layout/processor.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

#define NAMES_1(T)                                                                                           \
    const T *p0 = in[0];                                                                                     \
    const T c0 = (T)c[0];
#define NAMES_2(T)                                                                                           \
    NAMES_1(T) const T *p1 = in[1];                                                                          \
    const T c1 = (T)c[1];
#define NAMES_3(T)                                                                                           \
    NAMES_2(T) const T *p2 = in[2];                                                                          \
    const T c2 = (T)c[2];
#define NAMES_4(T)                                                                                           \
    NAMES_3(T) const T *p3 = in[3];                                                                          \
    const T c3 = (T)c[3];
#define NAMES_5(T)                                                                                           \
    NAMES_4(T) const T *p4 = in[4];                                                                          \
    const T c4 = (T)c[4];
#define NAMES_6(T)                                                                                           \
    NAMES_5(T) const T *p5 = in[5];                                                                          \
    const T c5 = (T)c[5];
#define NAMES_7(T)                                                                                           \
    NAMES_6(T) const T *p6 = in[6];                                                                          \
    const T c6 = (T)c[6];
#define NAMES_8(T)                                                                                           \
    NAMES_7(T) const T *p7 = in[7];                                                                          \
    const T c7 = (T)c[7];
#define NAMES_9(T)                                                                                           \
    NAMES_8(T) const T *p8 = in[8];                                                                          \
    const T c8 = (T)c[8];
#define NEXT_1 p0 += next;
#define NEXT_2 NEXT_1 p1 += next;
#define NEXT_3 NEXT_2 p2 += next;
#define NEXT_4 NEXT_3 p3 += next;
#define NEXT_5 NEXT_4 p4 += next;
#define NEXT_6 NEXT_5 p5 += next;
#define NEXT_7 NEXT_6 p6 += next;
#define NEXT_8 NEXT_7 p7 += next;
#define NEXT_9 NEXT_8 p8 += next;
#define SUM_1 c0 *p0[i]
#define SUM_2 SUM_1 + c1 *p1[i]
#define SUM_3 SUM_2 + c2 *p2[i]
#define SUM_4 SUM_3 + c3 *p3[i]
#define SUM_5 SUM_4 + c4 *p4[i]
#define SUM_6 SUM_5 + c5 *p5[i]
#define SUM_7 SUM_6 + c6 *p6[i]
#define SUM_8 SUM_7 + c7 *p7[i]
#define SUM_9 SUM_8 + c8 *p8[i]

#define ROW(T, n, set, target)                                                                               \
    target static void begin_##T##_##n##_##set(void *out, const void *const *in, const double *c,            \
                                               long count, long rows, ptrdiff_t next) {                      \
        T *o = out;                                                                                          \
        NAMES_##n(T) for (; rows > 0; rows--, o += next) {                                                   \
            INDEPENDENT for (long i = 0; i < count; i++) o[i] = SUM_##n;                                     \
            NEXT_##n                                                                                         \
        }                                                                                                    \
    }                                                                                                        \
    target static void add_##T##_##n##_##set(void *out, const void *const *in, const double *c, long count,  \
                                             long rows, ptrdiff_t next) {                                    \
        T *o = out;                                                                                          \
        NAMES_##n(T) for (; rows > 0; rows--, o += next) {                                                   \
            INDEPENDENT for (long i = 0; i < count; i++) o[i] = o[i] + SUM_##n;                              \
            NEXT_##n                                                                                         \
        }                                                                                                    \
    }
/* Loops by vectors, for levels that come from memory: the lines that later rows read, and those into which
 * they are stored, are prefetched one at a time between the sums; bursts of requests would hold up the loads.
 * past: aligned vectors are stored past the caches; the elements before the first and after the last of them
 * are stored as usual. */
#define AT(V, p) *(const V *)(const void *)(p + x)
#define VECTORS_1(V) c0 *AT(V, p0)
#define VECTORS_2(V) VECTORS_1(V) + c1 *AT(V, p1)
#define VECTORS_3(V) VECTORS_2(V) + c2 *AT(V, p2)
#define VECTORS_4(V) VECTORS_3(V) + c3 *AT(V, p3)
#define VECTORS_5(V) VECTORS_4(V) + c4 *AT(V, p4)
#define VECTORS_6(V) VECTORS_5(V) + c5 *AT(V, p5)
#define VECTORS_7(V) VECTORS_6(V) + c6 *AT(V, p6)
#define VECTORS_8(V) VECTORS_7(V) + c7 *AT(V, p7)
#define VECTORS_9(V) VECTORS_8(V) + c8 *AT(V, p8)

#define FETCHING(what, T, n, set, target, V, store, past)                                                    \
    target static void what##_##T##_##n##_##set(void *out, const void *const *in, const double *c,           \
                                                const struct mer_row_part *part) {                           \
        const long lanes = (long)(sizeof(V) / sizeof(T)), count = part->count;                               \
        const ptrdiff_t next = part->next;                                                                   \
        const T *front = (const T *)part->front;                                                             \
        T *o = out;                                                                                          \
        NAMES_##n(T) for (long rows = part->rows; rows > 0; rows--, o += next, front += next) {              \
            long first = past ? (long)((-(uintptr_t)o & (sizeof(V) - 1)) / sizeof(T)) : 0, last;             \
            first = first < count ? first : count;                                                           \
            last = first + (count - first) / lanes * lanes;                                                  \
            for (ptrdiff_t i = 0; i < first; i++)                                                            \
                o[i] = SUM_##n;                                                                              \
            for (ptrdiff_t i = last; i < count; i++)                                                         \
                o[i] = SUM_##n;                                                                              \
            for (ptrdiff_t x = first; x < last; x += lanes) {                                                \
                if (((uintptr_t)(o + x) & (MER_LINE - 1)) < sizeof(V))                                       \
                    __builtin_prefetch(front + x, 0, 3);                                                     \
                if (!(past))                                                                                 \
                    __builtin_prefetch(o + x + next, 0, 3);                                                  \
                V sum = VECTORS_##n(V);                                                                      \
                store(o + x, sum);                                                                           \
            }                                                                                                \
            NEXT_##n                                                                                         \
        }                                                                                                    \
    }
#define FETCHINGS(what, T, set, target, V, store, past)                                                      \
    FETCHING(what, T, 1, set, target, V, store, past)                                                        \
    FETCHING(what, T, 2, set, target, V, store, past)                                                        \
    FETCHING(what, T, 3, set, target, V, store, past)                                                        \
    FETCHING(what, T, 4, set, target, V, store, past)                                                        \
    FETCHING(what, T, 5, set, target, V, store, past)                                                        \
    FETCHING(what, T, 6, set, target, V, store, past)                                                        \
    FETCHING(what, T, 7, set, target, V, store, past)                                                        \
    FETCHING(what, T, 8, set, target, V, store, past)                                                        \
    FETCHING(what, T, 9, set, target, V, store, past)                                                        \
    static mer_row_fetching *const what##_##T##_##set[MER_ROW_TERMS] = NAMES(what, T, set);

#define ALL_ROWS(T, set, target)                                                                             \
    ROW(T, 1, set, target)                                                                                   \
    ROW(T, 2, set, target)                                                                                   \
    ROW(T, 3, set, target)                                                                                   \
    ROW(T, 4, set, target)                                                                                   \
    ROW(T, 5, set, target)                                                                                   \
    ROW(T, 6, set, target)                                                                                   \
    ROW(T, 7, set, target)                                                                                   \
    ROW(T, 8, set, target)                                                                                   \
    ROW(T, 9, set, target)
#define NAMES(what, T, set)                                                                                  \
    {                                                                                                        \
        what##_##T##_1_##set, what##_##T##_2_##set, what##_##T##_3_##set, what##_##T##_4_##set,              \
            what##_##T##_5_##set, what##_##T##_6_##set, what##_##T##_7_##set, what##_##T##_8_##set,          \
            what##_##T##_9_##set                                                                             \
    }
#define ROWS(T, set, target)                                                                                 \
    ALL_ROWS(T, set, target)                                                                                 \
    static mer_row *const rows_##T##_##set[2][MER_ROW_TERMS] = {NAMES(begin, T, set), NAMES(add, T, set)};
#define TYPES(set, target) ROWS(float, set, target) ROWS(double, set, target)

TYPES(base, )
#if defined(__x86_64__)
TYPES(avx2, __attribute__((target("avx2"))))
TYPES(avx512, __attribute__((target("avx512f"))))
#endif

#if defined(__x86_64__)
typedef float floats_16 __attribute__((vector_size(16), aligned(4), may_alias));
typedef float floats_32 __attribute__((vector_size(32), aligned(4), may_alias));
typedef float floats_64 __attribute__((vector_size(64), aligned(4), may_alias));
typedef double doubles_16 __attribute__((vector_size(16), aligned(8), may_alias));
typedef double doubles_32 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double doubles_64 __attribute__((vector_size(64), aligned(8), may_alias));
#define STORE_FLOATS_16(at, v) _mm_stream_ps(at, (__m128)(v))
#define STORE_FLOATS_32(at, v) _mm256_stream_ps(at, (__m256)(v))
#define STORE_FLOATS_64(at, v) _mm512_stream_ps(at, (__m512)(v))
#define STORE_DOUBLES_16(at, v) _mm_stream_pd(at, (__m128d)(v))
#define STORE_DOUBLES_32(at, v) _mm256_stream_pd(at, (__m256d)(v))
#define STORE_DOUBLES_64(at, v) _mm512_stream_pd(at, (__m512d)(v))
#define KEEP(at, v) (*(__typeof__(v) *)(void *)(at) = (v))
#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f")))
FETCHINGS(stream, float, base, , floats_16, STORE_FLOATS_16, 1)
FETCHINGS(stream, double, base, , doubles_16, STORE_DOUBLES_16, 1)
FETCHINGS(stream, float, avx2, AVX2, floats_32, STORE_FLOATS_32, 1)
FETCHINGS(stream, double, avx2, AVX2, doubles_32, STORE_DOUBLES_32, 1)
FETCHINGS(keep, float, avx2, AVX2, floats_32, KEEP, 0)
FETCHINGS(keep, double, avx2, AVX2, doubles_32, KEEP, 0)
FETCHINGS(stream, float, avx512, AVX512, floats_64, STORE_FLOATS_64, 1)
FETCHINGS(stream, double, avx512, AVX512, doubles_64, STORE_DOUBLES_64, 1)
FETCHINGS(keep, float, avx512, AVX512, floats_64, KEEP, 0)
FETCHINGS(keep, double, avx512, AVX512, doubles_64, KEEP, 0)

#define CHOOSE(what, set) (type == MER_FLOAT32 ? what##_float_##set : what##_double_##set)[terms - 1]

mer_row_fetching *mer_row_streamed(enum mer_type type, int terms) {
    switch (mer_vectors()) {
    case MER_VECTORS_AVX512:
        return CHOOSE(stream, avx512);
    case MER_VECTORS_AVX2:
        return CHOOSE(stream, avx2);
    default:
        return CHOOSE(stream, base);
    }
}

mer_row_fetching *mer_row_kept(enum mer_type type, int terms) {
    switch (mer_vectors()) {
    case MER_VECTORS_AVX512:
        return CHOOSE(keep, avx512);
    case MER_VECTORS_AVX2:
        return CHOOSE(keep, avx2);
    default:
        return NULL;
    }
}
#else
mer_row_fetching *mer_row_streamed(enum mer_type type, int terms) {
    (void)type, (void)terms;
    return NULL;
}
mer_row_fetching *mer_row_kept(enum mer_type type, int terms) {
    (void)type, (void)terms;
    return NULL;
}
#endif

#define PICK(set) (type == MER_FLOAT32 ? rows_float_##set[add][terms - 1] : rows_double_##set[add][terms - 1])

mer_row *mer_row_of(enum mer_type type, int terms, int add) {
    switch (mer_vectors()) {
#if defined(__x86_64__)
    case MER_VECTORS_AVX512:
        return PICK(avx512);
    case MER_VECTORS_AVX2:
        return PICK(avx2);
#endif
    default:
        return PICK(base);
    }
}
