/* The loops for one element type; kernel.c includes this once for each.
 *
 *   TYPE    the type            TYPE_ID   its letters in the functions' names
 *   WIDE    the type in which sums and products are made: unsigned for integers, so that they wrap
 *   BITS    1: the type has bitwise operations
 *
 * Sums and the like run over LANES independent accumulators, since the operations are associative and
 * commutative by definition (UPC 7.4.3 p2, p3), and one chain of dependent additions would take four times as
 * long.  A user's function gets its arguments in order. */
#define JOIN_(a, b, c) a##_##b##_##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define LANES 8
#define UNROLLED _Pragma("GCC unroll 8") /* keeps the accumulators in registers at -O2 too */

typedef TYPE JOIN(unaligned, TYPE_ID, t) __attribute__((aligned(1), may_alias));
#define UNALIGNED JOIN(unaligned, TYPE_ID, t)

#define LOOPS(op, expression)                                                                                \
    static inline TYPE JOIN(one, TYPE_ID, op)(TYPE a, TYPE b) { return (TYPE)(expression); }                 \
    static void JOIN(fold, TYPE_ID, op)(void *acc, const void *from, size_t n, mer_function *func) {         \
        (void)func;                                                                                          \
        const UNALIGNED *p = from;                                                                           \
        TYPE a = *(TYPE *)acc;                                                                               \
        if (n >= 2 * LANES) {                                                                                \
            TYPE lane[LANES];                                                                                \
            UNROLLED for (int j = 0; j < LANES; j++) lane[j] = p[j];                                         \
            size_t i = LANES;                                                                                \
            for (; i + LANES <= n; i += LANES)                                                               \
                UNROLLED for (int j = 0; j < LANES; j++)                                                     \
                    lane[j] = JOIN(one, TYPE_ID, op)(lane[j], p[i + (size_t)j]);                             \
            UNROLLED for (int j = 0; j < LANES; j++) a = JOIN(one, TYPE_ID, op)(a, lane[j]);                 \
            p += i;                                                                                          \
            n -= i;                                                                                          \
        }                                                                                                    \
        for (size_t i = 0; i < n; i++)                                                                       \
            a = JOIN(one, TYPE_ID, op)(a, p[i]);                                                             \
        *(TYPE *)acc = a;                                                                                    \
    }                                                                                                        \
    static void JOIN(scan, TYPE_ID, op)(void *acc, void *to, const void *from, size_t n,                     \
                                        mer_function *func) {                                                \
        (void)func;                                                                                          \
        const UNALIGNED *p = from;                                                                           \
        UNALIGNED *q = to;                                                                                   \
        TYPE a = *(TYPE *)acc;                                                                               \
        for (size_t i = 0; i < n; i++)                                                                       \
            q[i] = a = JOIN(one, TYPE_ID, op)(a, p[i]);                                                      \
        *(TYPE *)acc = a;                                                                                    \
    }

LOOPS(add, (WIDE)a + (WIDE)b)
LOOPS(mult, (WIDE)a *(WIDE)b)
LOOPS(logand, a &&b)
LOOPS(logor, a || b)
LOOPS(min, b < a ? b : a)
LOOPS(max, b > a ? b : a)
#if BITS
LOOPS(and, a &b)
LOOPS(or, a | b)
LOOPS(xor, a ^ b)
#endif

typedef TYPE JOIN(user, TYPE_ID, t)(TYPE, TYPE);

static void JOIN(fold, TYPE_ID, func)(void *acc, const void *from, size_t n, mer_function *func) {
    JOIN(user, TYPE_ID, t) *user = (JOIN(user, TYPE_ID, t) *)func;
    const UNALIGNED *p = from;
    TYPE a = *(TYPE *)acc;
    for (size_t i = 0; i < n; i++)
        a = user(a, p[i]);
    *(TYPE *)acc = a;
}

static void JOIN(scan, TYPE_ID, func)(void *acc, void *to, const void *from, size_t n, mer_function *func) {
    JOIN(user, TYPE_ID, t) *user = (JOIN(user, TYPE_ID, t) *)func;
    const UNALIGNED *p = from;
    UNALIGNED *q = to;
    TYPE a = *(TYPE *)acc;
    for (size_t i = 0; i < n; i++)
        q[i] = a = user(a, p[i]);
    *(TYPE *)acc = a;
}

#define ROW(loop, op) JOIN(loop, TYPE_ID, op)
#if BITS
#define ROWS(loop)                                                                                           \
    {                                                                                                        \
        ROW(loop, add), ROW(loop, mult), ROW(loop, and), ROW(loop, or), ROW(loop, xor), ROW(loop, logand),   \
            ROW(loop, logor), ROW(loop, min), ROW(loop, max), ROW(loop, func)                                \
    }
#else
#define ROWS(loop)                                                                                           \
    {                                                                                                        \
        ROW(loop, add), ROW(loop, mult), NULL, NULL, NULL, ROW(loop, logand), ROW(loop, logor),              \
            ROW(loop, min), ROW(loop, max), ROW(loop, func)                                                  \
    }
#endif

const struct mer_kernel JOIN(mer, kernel, TYPE_ID) = {
    .size = sizeof(TYPE), .type = TYPE_NAME, .fold = ROWS(fold), .scan = ROWS(scan)};

#undef ROWS
#undef ROW
#undef LOOPS
#undef UNALIGNED
#undef UNROLLED
#undef LANES
#undef JOIN
#undef JOIN_
#undef TYPE
#undef TYPE_ID
#undef TYPE_NAME
#undef WIDE
#undef BITS
