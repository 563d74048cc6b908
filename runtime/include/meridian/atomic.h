/* Atomic operations of <upc_atomic.h> in line: a part of abi.h, which includes it.
 *
 * A call whose operation is a constant ends, for domains of integers, in the instruction itself; a look at
 * the domain, which is one line of memory that nobody writes, says whether the operation is one of its own
 * and how wide its objects are.  Everything else, every mistake included, goes to the library
 * (dialect/upc/atomic.c); so does everything where memory lies on other hosts.
 */
#ifndef MERIDIAN_ATOMIC_H
#define MERIDIAN_ATOMIC_H

/* Operations as <upc_types.h> and <upc_atomic.h> number them. */
#define MER_ATOMIC_ADD (1UL << 0)
#define MER_ATOMIC_AND (1UL << 2)
#define MER_ATOMIC_OR (1UL << 3)
#define MER_ATOMIC_XOR (1UL << 4)
#define MER_ATOMIC_GET (1UL << 16)
#define MER_ATOMIC_SET (1UL << 17)
#define MER_ATOMIC_CSWAP (1UL << 18)
#define MER_ATOMIC_SUB (1UL << 19)
#define MER_ATOMIC_INC (1UL << 20)
#define MER_ATOMIC_DEC (1UL << 21)

/* The beginning of a domain. */
struct mer_atomic_head {
    unsigned direct;    /* operations that need no further look; none if arguments are checked */
    unsigned locked;    /* those of them whose strict form is the relaxed one; none but on x86-64 */
    unsigned ops;       /* operations of the domain */
    unsigned char kind; /* MER_ATOMIC_32 and 64: and the next number, for signed and unsigned; others */
};
#define MER_ATOMIC_32 0
#define MER_ATOMIC_64 2

/* The library's, under names that a program's own functions cannot have. */
void mer_atomic_relaxed_call(mer_ptr domain, void *fetch, unsigned long op, mer_pptr target, const void *a,
                             const void *b);
void mer_atomic_strict_call(mer_ptr domain, void *fetch, unsigned long op, mer_pptr target, const void *a,
                            const void *b);

#ifdef MER_CALLS
#define mer_atomic_relaxed mer_atomic_relaxed_call
#define mer_atomic_strict mer_atomic_strict_call
#else
/* op is constant, so that one case of each is left.  0: not done.  T may alias what the user has there. */
#define MER_ATOMIC_WIDTH(name, T)                                                                            \
    MER_INLINE int name(void *at, void *fetch, unsigned long op, const void *a, const void *b) {             \
        T *object = (T *)at, old;                                                                            \
        switch (op) {                                                                                        \
        case MER_ATOMIC_GET:                                                                                 \
            if (!fetch)                                                                                      \
                return 0;                                                                                    \
            old = __atomic_load_n(object, __ATOMIC_RELAXED);                                                 \
            break;                                                                                           \
        case MER_ATOMIC_INC:                                                                                 \
            old = __atomic_fetch_add(object, 1, __ATOMIC_RELAXED);                                           \
            break;                                                                                           \
        case MER_ATOMIC_DEC:                                                                                 \
            old = __atomic_fetch_sub(object, 1, __ATOMIC_RELAXED);                                           \
            break;                                                                                           \
        default:                                                                                             \
            if (!a)                                                                                          \
                return 0;                                                                                    \
            switch (op) {                                                                                    \
            case MER_ATOMIC_ADD:                                                                             \
                old = __atomic_fetch_add(object, *(const T *)a, __ATOMIC_RELAXED);                           \
                break;                                                                                       \
            case MER_ATOMIC_SUB:                                                                             \
                old = __atomic_fetch_sub(object, *(const T *)a, __ATOMIC_RELAXED);                           \
                break;                                                                                       \
            case MER_ATOMIC_AND:                                                                             \
                old = __atomic_fetch_and(object, *(const T *)a, __ATOMIC_RELAXED);                           \
                break;                                                                                       \
            case MER_ATOMIC_OR:                                                                              \
                old = __atomic_fetch_or(object, *(const T *)a, __ATOMIC_RELAXED);                            \
                break;                                                                                       \
            case MER_ATOMIC_XOR:                                                                             \
                old = __atomic_fetch_xor(object, *(const T *)a, __ATOMIC_RELAXED);                           \
                break;                                                                                       \
            case MER_ATOMIC_SET:                                                                             \
                if (!fetch) {                                                                                \
                    __atomic_store_n(object, *(const T *)a, __ATOMIC_RELAXED);                               \
                    return 1;                                                                                \
                }                                                                                            \
                old = __atomic_exchange_n(object, *(const T *)a, __ATOMIC_RELAXED);                          \
                break;                                                                                       \
            case MER_ATOMIC_CSWAP:                                                                           \
                if (!b)                                                                                      \
                    return 0;                                                                                \
                old = *(const T *)a;                                                                         \
                __atomic_compare_exchange_n(object, &old, *(const T *)b, 0, __ATOMIC_RELAXED,                \
                                            __ATOMIC_RELAXED);                                               \
                break;                                                                                       \
            default:                                                                                         \
                return 0;                                                                                    \
            }                                                                                                \
        }                                                                                                    \
        if (fetch)                                                                                           \
            *(T *)fetch = old;                                                                               \
        return 1;                                                                                            \
    }
typedef __UINT32_TYPE__ __attribute__((__may_alias__)) mer_atomic_word32;
typedef __UINT64_TYPE__ __attribute__((__may_alias__)) mer_atomic_word64;
MER_ATOMIC_WIDTH(mer_atomic_do32, mer_atomic_word32)
MER_ATOMIC_WIDTH(mer_atomic_do64, mer_atomic_word64)
#undef MER_ATOMIC_WIDTH

MER_INLINE int mer_atomic_do(const struct mer_atomic_head *head, void *fetch, unsigned long op,
                             mer_pptr target, const void *a, const void *b) {
    if ((head->kind & ~1) == MER_ATOMIC_64)
        return mer_atomic_do64(mer_at(target.bits), fetch, op, a, b);
    if ((head->kind & ~1) == MER_ATOMIC_32)
        return mer_atomic_do32(mer_at(target.bits), fetch, op, a, b);
    return 0;
}

MER_INLINE void mer_atomic_relaxed(mer_ptr domain, void *fetch, unsigned long op, mer_pptr target,
                                   const void *a, const void *b) {
    const struct mer_atomic_head *head = (const struct mer_atomic_head *)mer_at(domain.bits);
    if (__builtin_constant_p(op) && !(op & (op - 1)) && !MER_HAS_REMOTE && domain.bits && target.bits &&
        head->direct & op && mer_atomic_do(head, fetch, op, target, a, b))
        return;
    mer_atomic_relaxed_call(domain, fetch, op, target, a, b);
}

/* The instruction is a full fence for the processor; the two here are for the C compiler. */
MER_INLINE void mer_atomic_strict(mer_ptr domain, void *fetch, unsigned long op, mer_pptr target,
                                  const void *a, const void *b) {
    const struct mer_atomic_head *head = (const struct mer_atomic_head *)mer_at(domain.bits);
    if (__builtin_constant_p(op) && !(op & (op - 1)) && !MER_HAS_REMOTE && domain.bits && target.bits &&
        head->locked & op) {
        int done;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        done = mer_atomic_do(head, fetch, op, target, a, b);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (done)
            return;
    }
    mer_atomic_strict_call(domain, fetch, op, target, a, b);
}
#endif

#endif
