/* <bupc_extensions.h>: atomic operations by type.
 *
 * Integers are done by the C compiler's built-in operations; floating-point values move as their bits.  The
 * strict forms have fences around them, whose partners are the strict accesses of other threads (UPC B.3); on
 * x86-64 a locked instruction is one itself.
 *
 * On remote objects the owner does the operation, on the values' bits, in the same way.
 */
#include "dialect/upc/bupc.h"

#include "host/job.h"

#include "am/call.h"

#include <string.h>

#if defined(__x86_64__)
#define LOCKED_FENCE() __atomic_signal_fence(__ATOMIC_SEQ_CST) /* the instruction is the fence */
#else
#define LOCKED_FENCE() mer_fence()
#endif

/* ---- by the owner -------------------------------------------------------------------------------------- */

enum action { READ, SET, SWAP, CSWAP, MSWAP, FETCHADD, FETCHAND, FETCHOR, FETCHXOR };

struct order {
    mer_u64 at;
    uint32_t action, size;
    mer_u64 x, y;
};

#define OBEY(name, U)                                                                                        \
    static U name(const struct order *o) {                                                                   \
        U *at = mer_at(o->at), x = (U)o->x, y = (U)o->y, old = __atomic_load_n(at, __ATOMIC_SEQ_CST);        \
        switch (o->action) {                                                                                 \
        case SET:                                                                                            \
        case SWAP:                                                                                           \
            return __atomic_exchange_n(at, x, __ATOMIC_SEQ_CST);                                             \
        case CSWAP:                                                                                          \
            old = x;                                                                                         \
            __atomic_compare_exchange_n(at, &old, y, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);             \
            return old;                                                                                      \
        case MSWAP: /* x: mask */                                                                            \
            while (!__atomic_compare_exchange_n(at, &old, (old & ~x) | (y & x), true, __ATOMIC_SEQ_CST,      \
                                                __ATOMIC_RELAXED))                                           \
                ;                                                                                            \
            return old;                                                                                      \
        case FETCHADD:                                                                                       \
            return __atomic_fetch_add(at, x, __ATOMIC_SEQ_CST);                                              \
        case FETCHAND:                                                                                       \
            return __atomic_fetch_and(at, x, __ATOMIC_SEQ_CST);                                              \
        case FETCHOR:                                                                                        \
            return __atomic_fetch_or(at, x, __ATOMIC_SEQ_CST);                                               \
        case FETCHXOR:                                                                                       \
            return __atomic_fetch_xor(at, x, __ATOMIC_SEQ_CST);                                              \
        default:                                                                                             \
            return old;                                                                                      \
        }                                                                                                    \
    }
OBEY(obey32, uint32_t)
OBEY(obey64, uint64_t)

static size_t obey(int caller, const void *in, void *out) {
    const struct order *order = in;
    (void)caller;
    *(mer_u64 *)out = order->size == 4 ? obey32(order) : obey64(order);
    return sizeof(mer_u64);
}

static bool is_remote(mer_u64 bits) { return !mer_is_local(bits); }

static mer_u64 ask(enum action action, size_t size, mer_u64 bits, mer_u64 x, mer_u64 y) {
    struct order order = {bits & MER_ADDR_MASK, action, (uint32_t)size, x, y};
    mer_u64 old;
    mer_am_call((int)mer_threadof(bits), obey, &order, sizeof order, &old, sizeof old);
    return old;
}

/* ---- the calls ----------------------------------------------------------------------------------------- */

/* The three kinds of call: how they get at the object, whether it is remote, and their fences around plain
 * and locked accesses. */
#define relaxed_POINTER mer_pptr ptr
#define relaxed_AT mer_at(ptr.bits)
#define relaxed_REMOTE is_remote(ptr.bits)
#define relaxed_BITS ptr.bits
#define relaxed_PLAIN() ((void)0)
#define relaxed_LOCKED() ((void)0)
#define strict_POINTER mer_pptr ptr
#define strict_AT mer_at(ptr.bits)
#define strict_REMOTE is_remote(ptr.bits)
#define strict_BITS ptr.bits
#define strict_PLAIN() mer_fence()
#define strict_LOCKED() LOCKED_FENCE()
#define private_POINTER void *ptr
#define private_AT ptr
#define private_REMOTE false
#define private_BITS 0
#define private_PLAIN() ((void)0)
#define private_LOCKED() ((void)0)

/* T bupc_atomicX_op_mode(pointer, parameters), declared and defined. */
#define FUNCTION(result, X, op, mode, ...)                                                                   \
    result bupc_atomic##X##_##op##_##mode(mode##_POINTER __VA_ARGS__);                                       \
    result bupc_atomic##X##_##op##_##mode(mode##_POINTER __VA_ARGS__)

/* Operations of all types; U: an unsigned integer with the bits of a T. */
#define MOVES(X, T, U, mode)                                                                                 \
    FUNCTION(T, X, read, mode) {                                                                             \
        T value;                                                                                             \
        mode##_PLAIN();                                                                                      \
        U bits = mode##_REMOTE ? (U)ask(READ, sizeof(U), mode##_BITS, 0, 0)                                  \
                               : __atomic_load_n((U *)mode##_AT, __ATOMIC_ACQUIRE);                          \
        memcpy(&value, &bits, sizeof value);                                                                 \
        return value;                                                                                        \
    }                                                                                                        \
    FUNCTION(void, X, set, mode, , T value) {                                                                \
        U bits;                                                                                              \
        memcpy(&bits, &value, sizeof bits);                                                                  \
        if (mode##_REMOTE)                                                                                   \
            ask(SET, sizeof(U), mode##_BITS, bits, 0);                                                       \
        else                                                                                                 \
            __atomic_store_n((U *)mode##_AT, bits, __ATOMIC_RELEASE);                                        \
        mode##_PLAIN();                                                                                      \
    }                                                                                                        \
    FUNCTION(T, X, swap, mode, , T value) {                                                                  \
        U bits;                                                                                              \
        memcpy(&bits, &value, sizeof bits);                                                                  \
        mode##_LOCKED();                                                                                     \
        bits = mode##_REMOTE ? (U)ask(SWAP, sizeof(U), mode##_BITS, bits, 0)                                 \
                             : __atomic_exchange_n((U *)mode##_AT, bits, __ATOMIC_SEQ_CST);                  \
        mode##_LOCKED();                                                                                     \
        memcpy(&value, &bits, sizeof bits);                                                                  \
        return value;                                                                                        \
    }                                                                                                        \
    FUNCTION(T, X, cswap, mode, , T oldvalue, T newvalue) {                                                  \
        U old, next;                                                                                         \
        memcpy(&old, &oldvalue, sizeof old);                                                                 \
        memcpy(&next, &newvalue, sizeof next);                                                               \
        mode##_LOCKED();                                                                                     \
        if (mode##_REMOTE)                                                                                   \
            old = (U)ask(CSWAP, sizeof(U), mode##_BITS, old, next);                                          \
        else                                                                                                 \
            __atomic_compare_exchange_n((U *)mode##_AT, &old, next, false, __ATOMIC_SEQ_CST,                 \
                                        __ATOMIC_SEQ_CST);                                                   \
        mode##_LOCKED();                                                                                     \
        memcpy(&oldvalue, &old, sizeof old);                                                                 \
        return oldvalue;                                                                                     \
    }

#define FETCH(X, T, U, op, mode, builtin, action)                                                            \
    FUNCTION(T, X, op, mode, , T operand) {                                                                  \
        if (mode##_REMOTE)                                                                                   \
            return (T)ask(action, sizeof(U), mode##_BITS, (U)operand, 0);                                    \
        mode##_LOCKED();                                                                                     \
        T old = (T)builtin((U *)mode##_AT, (U)operand, __ATOMIC_SEQ_CST);                                    \
        mode##_LOCKED();                                                                                     \
        return old;                                                                                          \
    }

#define BITS(X, T, U, mode)                                                                                  \
    MOVES(X, T, U, mode)                                                                                     \
    FETCH(X, T, U, fetchadd, mode, __atomic_fetch_add, FETCHADD)                                             \
    FETCH(X, T, U, fetchand, mode, __atomic_fetch_and, FETCHAND)                                             \
    FETCH(X, T, U, fetchor, mode, __atomic_fetch_or, FETCHOR)                                                \
    FETCH(X, T, U, fetchxor, mode, __atomic_fetch_xor, FETCHXOR)                                             \
    FUNCTION(T, X, fetchnot, mode) { return bupc_atomic##X##_fetchxor_##mode(ptr, (T) ~(U)0); }              \
    FUNCTION(T, X, mswap, mode, , T mask, T value) {                                                         \
        if (mode##_REMOTE)                                                                                   \
            return (T)ask(MSWAP, sizeof(U), mode##_BITS, (U)mask, (U)value);                                 \
        U *at = (U *)mode##_AT, old = __atomic_load_n(at, __ATOMIC_RELAXED);                                 \
        mode##_LOCKED();                                                                                     \
        while (!__atomic_compare_exchange_n(at, &old, (old & ~(U)mask) | ((U)value & (U)mask), true,         \
                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))                             \
            ;                                                                                                \
        mode##_LOCKED();                                                                                     \
        return (T)old;                                                                                       \
    }

#define INTEGER(X, T, U) BITS(X, T, U, relaxed) BITS(X, T, U, strict) BITS(X, T, U, private)
#define FLOATING(X, T, U) MOVES(X, T, U, relaxed) MOVES(X, T, U, strict) MOVES(X, T, U, private)

INTEGER(I, int, unsigned)
INTEGER(U, unsigned, unsigned)
INTEGER(UI, unsigned, unsigned)
INTEGER(L, long, unsigned long)
INTEGER(UL, unsigned long, unsigned long)
INTEGER(I32, int32_t, uint32_t)
INTEGER(U32, uint32_t, uint32_t)
INTEGER(I64, int64_t, uint64_t)
INTEGER(U64, uint64_t, uint64_t)
FLOATING(F, float, uint32_t)
FLOATING(D, double, uint64_t)
