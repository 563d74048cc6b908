/* Sums of terms, see sums.h.  The terms are added in their order, without contraction (CMakeLists.txt), as in
 * rows.c.  Integers are computed modulo 2^64, and so wrap around as their own type does.  A coefficient is a
 * double, also for the wider types. */
#include "array/stencil/sums.h"

#include "array/layout/type.h"

#define PART 64 /* numbers whose sums are computed together */

/* C: the type of sums; a coefficient is converted to it by way of W. */
#define SUMS(name, T, C, W, parts)                                                                           \
    static void name(void *out, const void *in, const ptrdiff_t *step, long n, const long *index,            \
                     void *context) {                                                                        \
        const struct mer_sums *s = context;                                                                  \
        (void)step, (void)index;                                                                             \
        for (long i = 0; i < n * (parts); i += PART) {                                                       \
            long count = n * (parts)-i < PART ? n * (parts)-i : PART;                                        \
            T *to = (T *)out + i;                                                                            \
            C sum[PART];                                                                                     \
            for (int t = 0; t < s->terms; t++) {                                                             \
                const T *u = (const T *)(const void *)((const char *)in + s->offset[t]) + i;                 \
                const T *from = s->term[t].old ? to : u;                                                     \
                C coefficient = (C)(W)s->term[t].coefficient;                                                \
                for (long j = 0; j < count; j++)                                                             \
                    sum[j] = t ? sum[j] + coefficient * (C)from[j] : coefficient * (C)from[j];               \
            }                                                                                                \
            for (long j = 0; j < count; j++)                                                                 \
                to[j] = (T)sum[j];                                                                           \
        }                                                                                                    \
    }

typedef unsigned long long whole;
SUMS(sums_int8, signed char, whole, long long, 1)
SUMS(sums_int16, short, whole, long long, 1)
SUMS(sums_int32, int, whole, long long, 1)
SUMS(sums_int64, long long, whole, long long, 1)
SUMS(sums_uint8, unsigned char, whole, long long, 1)
SUMS(sums_uint16, unsigned short, whole, long long, 1)
SUMS(sums_uint32, unsigned, whole, long long, 1)
SUMS(sums_uint64, unsigned long long, whole, long long, 1)
SUMS(sums_long_double, long double, long double, double, 1)
SUMS(sums_float128, mer_quad, mer_quad, double, 1)
SUMS(sums_complex64, float, float, double, 2)
SUMS(sums_complex128, double, double, double, 2)
SUMS(sums_complex_long_double, long double, long double, double, 2)
SUMS(sums_complex256, mer_quad, mer_quad, double, 2)

mer_stencil_rows *mer_sums_of(enum mer_type type) {
    static mer_stencil_rows *const of[] = {
        [MER_INT8] = sums_int8,
        [MER_INT16] = sums_int16,
        [MER_INT32] = sums_int32,
        [MER_INT64] = sums_int64,
        [MER_UINT8] = sums_uint8,
        [MER_UINT16] = sums_uint16,
        [MER_UINT32] = sums_uint32,
        [MER_UINT64] = sums_uint64,
        [MER_LONG_DOUBLE] = sums_long_double,
        [MER_FLOAT128] = sums_float128,
        [MER_COMPLEX64] = sums_complex64,
        [MER_COMPLEX128] = sums_complex128,
        [MER_COMPLEX_LONG_DOUBLE] = sums_complex_long_double,
        [MER_COMPLEX256] = sums_complex256,
    };
    return of[type];
}

bool mer_sums_take(enum mer_type type, double coefficient) {
    char number[MER_TYPE_MOST];
    return type > MER_UINT64 || mer_type_value(MER_INT64, coefficient, number);
}
