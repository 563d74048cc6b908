/* Atomic operations, under the names of sanitize.h.  Two of them do not race with each other.  A strict one
 * orders as a strict access does; a relaxed one together with fences (clock.h). */
#include "dialect/upc/atomic.h"
#include "sanitize/clock.h"
#include "sanitize/race.h"

#include <upc/upc_types.h>

/* The bytes of an object of a kind (dialect/upc/atomic.h). */
static size_t bytes_of(unsigned kind) {
    return kind == MER_I32 || kind == MER_U32 || kind == MER_F32 ? 4 : kind == MER_PTS ? sizeof(mer_pptr) : 8;
}

static void before(uint64_t at, size_t n, bool writes, bool strict, struct mer_caller caller) {
    if (strict)
        mer_clock_fence();
    mer_race_access(at, n, writes ? MER_ACCESS_ATOMIC_WRITE : MER_ACCESS_ATOMIC_READ, caller);
    if (writes && strict)
        mer_clock_release(at);
    else if (writes)
        mer_clock_release_relaxed(at);
}

static void after(uint64_t at, bool reads, bool strict) {
    if (reads && strict)
        mer_clock_acquire(at);
    else if (reads)
        mer_clock_acquire_relaxed(at);
    if (strict)
        mer_clock_fence();
}

/* ---- <upc_atomic.h> ------------------------------------------------------------------------------------ */

#define CALL(name, strict)                                                                                   \
    void mer_san_##name(mer_ptr domain, void *fetch, unsigned long op, mer_pptr target, const void *a,       \
                        const void *b);                                                                      \
    void mer_san_##name(mer_ptr domain, void *fetch, unsigned long op, mer_pptr target, const void *a,       \
                        const void *b) {                                                                     \
        const struct mer_atomic_head *head = mer_at(domain.bits);                                            \
        uint64_t at = (uint64_t)(uintptr_t)mer_at(target.bits);                                              \
        bool known = domain.bits && target.bits, reads = op != MER_ATOMIC_SET;                               \
        if (known)                                                                                           \
            before(at, bytes_of(head->kind), op != MER_ATOMIC_GET, strict, MER_CALLER);                      \
        name(domain, fetch, op, target, a, b);                                                               \
        if (known)                                                                                           \
            after(at, reads, strict);                                                                        \
    }
CALL(mer_atomic_relaxed_call, false)
CALL(mer_atomic_strict_call, true)

/* ---- <bupc_extensions.h> ------------------------------------------------------------------------------- */

#define relaxed_STRICT false
#define strict_STRICT true
#define LIST(...) __VA_ARGS__

/* T bupc_atomicX_op_mode(pointer, parameters). */
#define OPERATION(T, X, op, mode, reads, writes, parameters, arguments)                                      \
    T bupc_atomic##X##_##op##_##mode(mer_pptr ptr parameters);                                               \
    T mer_san_bupc_atomic##X##_##op##_##mode(mer_pptr ptr parameters);                                       \
    T mer_san_bupc_atomic##X##_##op##_##mode(mer_pptr ptr parameters) {                                      \
        uint64_t at = (uint64_t)(uintptr_t)mer_at(ptr.bits);                                                 \
        before(at, sizeof(T), writes, mode##_STRICT, MER_CALLER);                                            \
        T old = bupc_atomic##X##_##op##_##mode(ptr arguments);                                               \
        after(at, reads, mode##_STRICT);                                                                     \
        return old;                                                                                          \
    }
#define MOVES(X, T, mode)                                                                                    \
    OPERATION(T, X, read, mode, true, false, , )                                                             \
    OPERATION(T, X, swap, mode, true, true, LIST(, T value), LIST(, value))                                  \
    OPERATION(T, X, cswap, mode, true, true, LIST(, T oldvalue, T newvalue), LIST(, oldvalue, newvalue))     \
    void bupc_atomic##X##_set_##mode(mer_pptr ptr, T value);                                                 \
    void mer_san_bupc_atomic##X##_set_##mode(mer_pptr ptr, T value);                                         \
    void mer_san_bupc_atomic##X##_set_##mode(mer_pptr ptr, T value) {                                        \
        uint64_t at = (uint64_t)(uintptr_t)mer_at(ptr.bits);                                                 \
        before(at, sizeof(T), true, mode##_STRICT, MER_CALLER);                                              \
        bupc_atomic##X##_set_##mode(ptr, value);                                                             \
        after(at, false, mode##_STRICT);                                                                     \
    }
#define FETCH(X, T, op, mode) OPERATION(T, X, op, mode, true, true, LIST(, T operand), LIST(, operand))
#define BITS(X, T, mode)                                                                                     \
    MOVES(X, T, mode)                                                                                        \
    FETCH(X, T, fetchadd, mode)                                                                              \
    FETCH(X, T, fetchand, mode)                                                                              \
    FETCH(X, T, fetchor, mode)                                                                               \
    FETCH(X, T, fetchxor, mode)                                                                              \
    OPERATION(T, X, fetchnot, mode, true, true, , )                                                          \
    OPERATION(T, X, mswap, mode, true, true, LIST(, T mask, T value), LIST(, mask, value))
#define INTEGER(X, T) BITS(X, T, relaxed) BITS(X, T, strict)
#define FLOATING(X, T) MOVES(X, T, relaxed) MOVES(X, T, strict)

INTEGER(I, int)
INTEGER(U, unsigned)
INTEGER(UI, unsigned)
INTEGER(L, long)
INTEGER(UL, unsigned long)
INTEGER(I32, int32_t)
INTEGER(U32, uint32_t)
INTEGER(I64, int64_t)
INTEGER(U64, uint64_t)
FLOATING(F, float)
FLOATING(D, double)
