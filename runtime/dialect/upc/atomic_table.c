/* The code of each atomic operation on each kind of object (UPC 7.6.4.3), and the table that finds it.
 *
 * If the processor has an instruction for an operation, the operation is that instruction.  If not (products,
 * extrema, floating-point sums), it is a loop around compare-and-swap, which computes with the C operator on
 * the value that it then replaces.  Signed sums go through unsigned types: they wrap, as the instruction
 * does.
 *
 * All accesses here are relaxed; upc_atomic_strict puts fences around those that need them.  The fences'
 * partners are the same operations of other threads.
 */
#include "dialect/upc/atomic.h"

#include <string.h>

#define CODE(name)                                                                                           \
    static void name(struct mer_atomic_domain *domain, void *fetch, void *target, const void *a,             \
                     const void *b)
#define UNUSED(x) ((void)(x))

/* A fatal message if a pointer that the operation needs is null. */
#define NEED(pointer, what, op)                                                                              \
    do {                                                                                                     \
        if (__builtin_expect(!(pointer), 0))                                                                 \
            mer_atomic_missing(what, op);                                                                    \
    } while (0)

/* GET and SET move bits of any meaning. */
#define MOVES(name, U)                                                                                       \
    CODE(name##_get) {                                                                                       \
        UNUSED(domain), UNUSED(a), UNUSED(b);                                                                \
        NEED(fetch, "fetch_ptr", "UPC_GET");                                                                 \
        *(U *)fetch = __atomic_load_n((U *)target, __ATOMIC_RELAXED);                                        \
    }                                                                                                        \
    CODE(name##_set) {                                                                                       \
        UNUSED(domain), UNUSED(b);                                                                           \
        NEED(a, "operand1", "UPC_SET");                                                                      \
        if (fetch)                                                                                           \
            *(U *)fetch = __atomic_exchange_n((U *)target, *(const U *)a, __ATOMIC_RELAXED);                 \
        else                                                                                                 \
            __atomic_store_n((U *)target, *(const U *)a, __ATOMIC_RELAXED);                                  \
    }

/* An operation that __atomic_fetch_... has.  Without fetch the compiler uses the form that gives no value. */
#define FETCH_OP(name, U, builtin, value)                                                                    \
    CODE(name) {                                                                                             \
        UNUSED(domain), UNUSED(a), UNUSED(b);                                                                \
        if (fetch)                                                                                           \
            *(U *)fetch = builtin((U *)target, value, __ATOMIC_RELAXED);                                     \
        else                                                                                                 \
            builtin((U *)target, value, __ATOMIC_RELAXED);                                                   \
    }
#define OPERAND(T, op)                                                                                       \
    (__extension__({                                                                                         \
        NEED(a, "operand1", op);                                                                             \
        *(const T *)a;                                                                                       \
    }))

#define BITS(name, U)                                                                                        \
    MOVES(name, U)                                                                                           \
    FETCH_OP(name##_add, U, __atomic_fetch_add, OPERAND(U, "UPC_ADD"))                                       \
    FETCH_OP(name##_sub, U, __atomic_fetch_sub, OPERAND(U, "UPC_SUB"))                                       \
    FETCH_OP(name##_inc, U, __atomic_fetch_add, 1)                                                           \
    FETCH_OP(name##_dec, U, __atomic_fetch_sub, 1)                                                           \
    FETCH_OP(name##_and, U, __atomic_fetch_and, OPERAND(U, "UPC_AND"))                                       \
    FETCH_OP(name##_or, U, __atomic_fetch_or, OPERAND(U, "UPC_OR"))                                          \
    FETCH_OP(name##_xor, U, __atomic_fetch_xor, OPERAND(U, "UPC_XOR"))                                       \
    CODE(name##_cswap) {                                                                                     \
        UNUSED(domain);                                                                                      \
        NEED(a, "operand1", "UPC_CSWAP");                                                                    \
        NEED(b, "operand2", "UPC_CSWAP");                                                                    \
        U old = *(const U *)a;                                                                               \
        __atomic_compare_exchange_n((U *)target, &old, *(const U *)b, false, __ATOMIC_RELAXED,               \
                                    __ATOMIC_RELAXED);                                                       \
        if (fetch)                                                                                           \
            *(U *)fetch = old;                                                                               \
    }

BITS(w32, uint32_t)
BITS(w64, uint64_t)

/* Replace the value `old` of type T by `expression` as long as `wanted`; U: the bits of a T. */
#define LOOP(name, T, U, wanted, expression)                                                                 \
    CODE(name) {                                                                                             \
        UNUSED(domain), UNUSED(a), UNUSED(b);                                                                \
        U bits = __atomic_load_n((U *)target, __ATOMIC_RELAXED), next;                                       \
        T old, new;                                                                                          \
        do {                                                                                                 \
            memcpy(&old, &bits, sizeof old);                                                                 \
            if (!(wanted))                                                                                   \
                break;                                                                                       \
            new = (expression);                                                                              \
            memcpy(&next, &new, sizeof next);                                                                \
        } while (!__atomic_compare_exchange_n((U *)target, &bits, next, true, __ATOMIC_RELAXED,              \
                                              __ATOMIC_RELAXED));                                            \
        if (fetch)                                                                                           \
            memcpy(fetch, &bits, sizeof bits);                                                               \
    }

LOOP(w32_mult, uint32_t, uint32_t, 1, old *OPERAND(uint32_t, "UPC_MULT"))
LOOP(w64_mult, uint64_t, uint64_t, 1, old *OPERAND(uint64_t, "UPC_MULT"))

/* An extremum that is there already is not written again: contended lines stay shared. */
#define EXTREMA(name, T, U)                                                                                  \
    LOOP(name##_min, T, U, OPERAND(T, "UPC_MIN") < old, *(const T *)a)                                       \
    LOOP(name##_max, T, U, OPERAND(T, "UPC_MAX") > old, *(const T *)a)

EXTREMA(i32, int32_t, uint32_t)
EXTREMA(u32, uint32_t, uint32_t)
EXTREMA(i64, int64_t, uint64_t)
EXTREMA(u64, uint64_t, uint64_t)

/* CSWAP compares as == does: 0.0 equals -0.0 though their bits differ. */
#define FLOATING(name, T, U)                                                                                 \
    EXTREMA(name, T, U)                                                                                      \
    LOOP(name##_add, T, U, 1, old + OPERAND(T, "UPC_ADD"))                                                   \
    LOOP(name##_sub, T, U, 1, old - OPERAND(T, "UPC_SUB"))                                                   \
    LOOP(name##_mult, T, U, 1, old *OPERAND(T, "UPC_MULT"))                                                  \
    LOOP(name##_inc, T, U, 1, old + 1)                                                                       \
    LOOP(name##_dec, T, U, 1, old - 1)                                                                       \
    LOOP(name##_swap, T, U, old == *(const T *)a, *(const T *)b)                                             \
    CODE(name##_cswap) {                                                                                     \
        NEED(a, "operand1", "UPC_CSWAP");                                                                    \
        NEED(b, "operand2", "UPC_CSWAP");                                                                    \
        name##_swap(domain, fetch, target, a, b);                                                            \
    }

FLOATING(f32, float, uint32_t)
FLOATING(f64, double, uint64_t)

/* The number of an operation's bit; operations are constants here. */
#define AT(op) [__builtin_ctzl(op)]

#define ACCESS_ROW(moves, swaps)                                                                             \
    AT(MER_ATOMIC_GET) = moves##_get, AT(MER_ATOMIC_SET) = moves##_set, AT(MER_ATOMIC_CSWAP) = swaps##_cswap
#define NUMERIC_ROW(name, extrema)                                                                           \
    AT(UPC_ADD) = name##_add, AT(MER_ATOMIC_SUB) = name##_sub, AT(UPC_MULT) = name##_mult,                   \
    AT(MER_ATOMIC_INC) = name##_inc, AT(MER_ATOMIC_DEC) = name##_dec, AT(UPC_MIN) = extrema##_min,           \
    AT(UPC_MAX) = extrema##_max
#define INTEGER_ROW(bits, extrema)                                                                           \
    {                                                                                                        \
        ACCESS_ROW(bits, bits), NUMERIC_ROW(bits, extrema), AT(UPC_AND) = bits##_and,                        \
                                                            AT(UPC_OR) = bits##_or, AT(UPC_XOR) = bits##_xor \
    }

mer_atomic_code *const mer_atomic_table[MER_ATOMIC_KINDS][MER_ATOMIC_OPS] = {
    [MER_I32] = INTEGER_ROW(w32, i32),
    [MER_U32] = INTEGER_ROW(w32, u32),
    [MER_I64] = INTEGER_ROW(w64, i64),
    [MER_U64] = INTEGER_ROW(w64, u64),
    [MER_F32] = {ACCESS_ROW(w32, f32), NUMERIC_ROW(f32, f32)},
    [MER_F64] = {ACCESS_ROW(w64, f64), NUMERIC_ROW(f64, f64)},
    [MER_PTS] = {ACCESS_ROW(mer_atomic_pts, mer_atomic_pts)},
};
