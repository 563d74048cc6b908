/* Atomic operations of <upc_atomic.h> in line: a part of abi.h, which includes it.
 *
 * If the operation is a constant and the domain is of integers, a call ends in the instruction itself.  The
 * domain, one line of memory that nobody writes, says whether it has the operation and how wide its objects
 * are.  All other calls, every mistake included, go to the library (dialect/upc/atomic.c).  If memory lies on
 * other hosts, only relaxed operations without a result, which matter in loops, are in line: those on objects
 * of this host are done in place, and the others become pairs of words of a message.
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
    unsigned direct;    /* operations without checks; none if arguments are checked or memory is remote */
    unsigned locked;    /* those of `direct' whose strict form is the relaxed one; none but on x86-64 */
    unsigned ops;       /* operations of the domain */
    unsigned plain;     /* operations that need no further checks except of their arguments, in this copy */
    unsigned char kind; /* MER_ATOMIC_32 or 64 if signed, the next number if unsigned; other kinds */
};
#define MER_ATOMIC_32 0
#define MER_ATOMIC_64 2

/* The library's functions, under names that a program's own functions cannot have. */
void mer_atomic_relaxed_call(mer_ptr domain, void *fetch, unsigned long op, mer_pptr target, const void *a,
                             const void *b);
void mer_atomic_strict_call(mer_ptr domain, void *fetch, unsigned long op, mer_pptr target, const void *a,
                            const void *b);

/* Have the owner of the object at bits, which is remote, do an operation without a result: op, a bit, on an
 * object of this kind; operand: in the first bytes of a word.  The operation is complete when a write would
 * be.  Returns 0 if nothing is done, because the owner is on this host though its memory is remote
 * (MERIDIAN_REMOTE). */
int mer_atomic_send(mer_u64 bits, mer_u64 operand, unsigned kind, unsigned op);
/* Do such an operation on an object of this host, now. */
void mer_atomic_own(mer_u64 bits, mer_u64 operand, unsigned kind, unsigned op);

/* Begin an operation on a remote target: raises *waiting, and lowers it when the old value is at fetch, which
 * is not null.  The object has changed when the value has come, or later operations on it are done. */
void mer_atomic_start(mer_ptr domain, void *fetch, unsigned long op, mer_pptr target, const void *a,
                      const void *b, int *waiting) MER_COLD;

/* The lock of a host's objects of atomics, biased towards this POSIX thread (dialect/upc/atomic_bias.c).
 * While it is held and not revoked, nobody else changes them. */
struct mer_atomic_bias {
    unsigned char held, revoked; /* atomic */
};
extern __thread struct mer_atomic_bias mer_atomic_bias;

#if defined(MER_CALLS) || defined(MER_SANITIZE)
#define mer_atomic_relaxed mer_atomic_relaxed_call
#define mer_atomic_strict mer_atomic_strict_call
#else
/* gcc would warn of the case for 64 bits that the user's operands are too small for it, though the domain's
 * type chooses the case. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Warray-bounds"
/* op is constant, so that one case of each is left.  Returns 0 if nothing is done.  T may alias the types of
 * the user's objects. */
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

/* The operations that change an object by one operand at most, and have an instruction. */
#define MER_ATOMIC_CHANGES                                                                                   \
    (MER_ATOMIC_ADD | MER_ATOMIC_SUB | MER_ATOMIC_AND | MER_ATOMIC_OR | MER_ATOMIC_XOR | MER_ATOMIC_INC |    \
     MER_ATOMIC_DEC)
/* Does an operation by one load and one store, under the biased lock, on the object at bits or on a variable
 * beside it.  The load before the lock faults if the address is invalid, since a holder of the lock has to
 * release it. */
MER_INLINE void mer_atomic_alone(mer_atomic_word64 *object, mer_u64 bits, mer_u64 operand, unsigned kind,
                                 unsigned long op) {
    (void)*(volatile mer_atomic_word64 *)object;
    __atomic_store_n(&mer_atomic_bias.held, 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* partner: revoke, by which the kernel fences this thread */
    if (__builtin_expect(__atomic_load_n(&mer_atomic_bias.revoked, __ATOMIC_ACQUIRE), 0)) {
        __atomic_store_n(&mer_atomic_bias.held, 0, __ATOMIC_RELAXED);
        if (object == (mer_atomic_word64 *)mer_at(bits))
            mer_atomic_own(bits, operand, kind, (unsigned)op);
        return;
    }
    *object = op == MER_ATOMIC_INC   ? *object + 1
              : op == MER_ATOMIC_DEC ? *object - 1
              : op == MER_ATOMIC_ADD ? *object + operand
              : op == MER_ATOMIC_SUB ? *object - operand
              : op == MER_ATOMIC_AND ? (*object & operand)
              : op == MER_ATOMIC_OR  ? (*object | operand)
                                     : *object ^ operand;
    __atomic_store_n(&mer_atomic_bias.held, 0, __ATOMIC_RELEASE); /* partner: revoke (atomic_bias.c) */
}

/* An order to the owner: kind and operation as one number. */
#define MER_ATOMIC_OPS 32 /* operations are bits 0 ... 21; a power of two makes the look-up a shift */
#define MER_ATOMIC_HOW(kind, op) ((unsigned)(kind)*MER_ATOMIC_OPS + (unsigned)__builtin_ctzl(op))
/* Does or sends an operation without a result, in a job of several hosts.  Each thread reads its own copy of
 * the domain.  Objects of atomics are usually in no order, so there is no branch on where this one is
 * (rows.h).  Returns 0 if nothing is done. */
MER_INLINE int mer_atomic_change(mer_ptr domain, unsigned long op, mer_pptr target, const void *a) {
    const struct mer_atomic_head *head = (const struct mer_atomic_head *)mer_at(
        mer_bits(mer_job.mythread, mer_native(domain.bits)));
    mer_u64 word = 0;
    int counts = op == MER_ATOMIC_INC || op == MER_ATOMIC_DEC;
    if (!domain.bits || !target.bits || !(head->plain & op) || counts != !a ||
        (head->kind & ~1) != MER_ATOMIC_64 || target.bits % sizeof word)
        return 0;
    if (a)
        word = *(const mer_atomic_word64 *)a;
    mer_u64 beside = 0, remote = mer_remote_mask(target.bits);
    if (!mer_cache_used &&
        mer_rows_scatter(target.bits, remote, counts ? MER_PAIR_COUNTS : MER_PAIR_ATOMICS,
                         mer_row_tagged(target.bits, MER_ATOMIC_HOW(head->kind, op)), word, (int *)0)) {
        mer_atomic_alone((mer_atomic_word64 *)mer_by_mask(remote, &beside, mer_at(target.bits)), target.bits,
                         word, head->kind, op);
        return 1;
    }
    if (remote)
        return mer_atomic_send(target.bits, word, head->kind, (unsigned)op);
    mer_atomic_alone((mer_atomic_word64 *)mer_at(target.bits), target.bits, word, head->kind, op);
    return 1;
}

MER_INLINE void mer_atomic_relaxed(mer_ptr domain, void *fetch, unsigned long op, mer_pptr target,
                                   const void *a, const void *b) {
    const struct mer_atomic_head *head = (const struct mer_atomic_head *)mer_at(domain.bits);
    if (__builtin_constant_p(op) && !(op & (op - 1)) && op & MER_ATOMIC_CHANGES && MER_HAS_REMOTE &&
        __builtin_constant_p(!fetch) && !fetch && !b && mer_atomic_change(domain, op, target, a))
        return;
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
#pragma GCC diagnostic pop
#endif

/* An operation as an expression, which the optimiser makes (crates/opt, atomics.rs).  T: the type of the
 * object; domain, target: bits.  Its value is the object's old one. */
#define MER_ATOMIC_FETCH(T, domain, op, target, a, b)                                                        \
    __extension__({                                                                                          \
        __typeof__(T) mer_old_;                                                                              \
        mer_atomic_relaxed(mer_mk(domain), (void *)&mer_old_, op, mer_mkp(target, 0), a, b);                 \
        mer_old_;                                                                                            \
    })
/* Does the operation in advance, into a slot.  If the object is remote, the operation is only begun, and
 * `met' is set. */
#define MER_ATOMIC_START(T, domain, op, target, a, b, slot, waiting, met)                                    \
    {                                                                                                        \
        mer_u64 mer_b_ = (target);                                                                           \
        if (mer_remote(mer_b_)) {                                                                            \
            mer_atomic_start(mer_mk(domain), (void *)&(slot), op, mer_mkp(mer_b_, 0), a, b, &(waiting));     \
            met = 1;                                                                                         \
        } else {                                                                                             \
            slot = MER_ATOMIC_FETCH(T, domain, op, mer_b_, a, b);                                            \
        }                                                                                                    \
    }
#define MER_ATOMIC_DO(domain, op, target, a, b)                                                              \
    mer_atomic_relaxed(mer_mk(domain), (void *)0, op, mer_mkp(target, 0), a, b)

#endif
