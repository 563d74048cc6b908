/* What is computed before the program comes to it, of values that need not be the program's: a part of abi.h,
 * which includes it.
 *
 * A loop that is read ahead (crates/opt, early.rs) may compute with an index, a pointer or a divisor that an
 * earlier iteration has yet to set.  Nothing of that may fault: the arithmetic here is defined for all
 * operands, and has the value that C gives where it gives one; and a shared object is read only if its owner
 * has memory there.
 */
#ifndef MERIDIAN_EARLY_H
#define MERIDIAN_EARLY_H

/* ---- arithmetic of integers --------------------------------------------------------------------------- */

/* The operands after the integer promotions, and `mer_r_' of the type that the operator has: sums,
 * differences and products modulo the size of that, quotients by 0 of 0, shifts by as many bits as there are
 * at most. */
#define MER_EARLY_OPERANDS_(a, b)                                                                            \
    __auto_type mer_a_ = +(a);                                                                               \
    __auto_type mer_b_ = +(b)
#define MER_EARLY_MODULO_(how, a, b)                                                                         \
    __extension__({                                                                                          \
        MER_EARLY_OPERANDS_(a, b);                                                                           \
        __typeof__(mer_a_ + mer_b_) mer_r_;                                                                  \
        (void)how(mer_a_, mer_b_, &mer_r_);                                                                  \
        mer_r_;                                                                                              \
    })
#define MER_EARLY_ADD(a, b) MER_EARLY_MODULO_(__builtin_add_overflow, a, b)
#define MER_EARLY_SUB(a, b) MER_EARLY_MODULO_(__builtin_sub_overflow, a, b)
#define MER_EARLY_MUL(a, b) MER_EARLY_MODULO_(__builtin_mul_overflow, a, b)
#define MER_EARLY_NEG(a) MER_EARLY_SUB((__typeof__(+(a)))0, a)
/* minus: a / -1, or a % -1, where the type has a sign. */
#define MER_EARLY_QUOTIENT_(a, b, op, minus)                                                                 \
    __extension__({                                                                                          \
        MER_EARLY_OPERANDS_(a, b);                                                                           \
        __typeof__(mer_a_ + mer_b_) mer_n_ = mer_a_, mer_d_ = mer_b_, mer_r_ = 0;                            \
        if (mer_d_ == (__typeof__(mer_d_))-1 && (__typeof__(mer_d_))-1 < (__typeof__(mer_d_))1)              \
            (void)__builtin_sub_overflow((__typeof__(mer_n_))0, minus, &mer_r_);                             \
        else if (mer_d_)                                                                                     \
            mer_r_ = mer_n_ op mer_d_;                                                                       \
        mer_r_;                                                                                              \
    })
#define MER_EARLY_DIV(a, b) MER_EARLY_QUOTIENT_(a, b, /, mer_n_)
#define MER_EARLY_REM(a, b) MER_EARLY_QUOTIENT_(a, b, %, (__typeof__(mer_n_))0)
/* Without a sign, in a type that is as wide at least, bits may leave on the left. */
#define MER_EARLY_WIDE_(a) __typeof__(__builtin_choose_expr(sizeof(a) > 8, (unsigned __int128)0, (mer_u64)0))
#define MER_EARLY_SHL(a, b)                                                                                  \
    __extension__({                                                                                          \
        MER_EARLY_OPERANDS_(a, b);                                                                           \
        (__typeof__(mer_a_))((MER_EARLY_WIDE_(mer_a_))mer_a_                                                 \
                             << ((unsigned)mer_b_ % (8 * (unsigned)sizeof(mer_a_))));                        \
    })
#define MER_EARLY_SHR(a, b)                                                                                  \
    __extension__({                                                                                          \
        MER_EARLY_OPERANDS_(a, b);                                                                           \
        (__typeof__(mer_a_))(mer_a_ >> ((unsigned)mer_b_ % (8 * (unsigned)sizeof(mer_a_))));                 \
    })
/* `v++' and `v--': how is MER_EARLY_ADD or _SUB. */
#define MER_EARLY_POST(how, v)                                                                               \
    __extension__({                                                                                          \
        __typeof__(v) mer_o_ = v;                                                                            \
        v = (__typeof__(v))how(mer_o_, 1);                                                                   \
        mer_o_;                                                                                              \
    })

/* ---- comparisons of float and double ------------------------------------------------------------------ */

/* What is no number may trap where it is compared, or converted for that: from its bits it is seen that it is
 * none, and then 0 is compared. So it does no harm either if the C compiler compares before it asks. */
MER_INLINE int mer_early_nan(void *of, mer_size n) {
    mer_u64 bits;
    __UINT32_TYPE__ half;
    int nan;
    if (n == sizeof half) {
        __builtin_memcpy(&half, of, sizeof half);
        nan = (half << 1) > 0xff000000U;
        half &= (__UINT32_TYPE__)nan - 1;
        __builtin_memcpy(of, &half, sizeof half);
    } else {
        __builtin_memcpy(&bits, of, sizeof bits);
        nan = (bits << 1) > 0xffe0000000000000ULL;
        bits &= (mer_u64)nan - 1;
        __builtin_memcpy(of, &bits, sizeof bits);
    }
    return nan;
}
#define MER_EARLY_IS_(v, T) __builtin_types_compatible_p(__typeof__(v), T)
#define MER_EARLY_NAN_(v)                                                                                    \
    ((MER_EARLY_IS_(v, double) || MER_EARLY_IS_(v, float)) && mer_early_nan(&(v), sizeof(v)))
#define MER_EARLY_COMPARE_(a, op, b, otherwise)                                                              \
    __extension__({                                                                                          \
        MER_EARLY_OPERANDS_(a, b);                                                                           \
        int mer_n_ = MER_EARLY_NAN_(mer_a_), mer_m_ = MER_EARLY_NAN_(mer_b_);                                \
        mer_n_ || mer_m_ ? otherwise : mer_a_ op mer_b_;                                                     \
    })
#define MER_EARLY_LESS(a, b) MER_EARLY_COMPARE_(a, <, b, 0)
#define MER_EARLY_GREATER(a, b) MER_EARLY_COMPARE_(a, >, b, 0)
#define MER_EARLY_LESS_EQUAL(a, b) MER_EARLY_COMPARE_(a, <=, b, 0)
#define MER_EARLY_GREATER_EQUAL(a, b) MER_EARLY_COMPARE_(a, >=, b, 0)
#define MER_EARLY_EQUAL(a, b) MER_EARLY_COMPARE_(a, ==, b, 0)
#define MER_EARLY_UNEQUAL(a, b) MER_EARLY_COMPARE_(a, !=, b, 1)

/* ---- objects that need not be there ------------------------------------------------------------------- */

/* Of each thread's span so much is memory: [0, low) and [MER_HEAP_OFFSET, mapped), the same on all hosts.
 * Constant after start-up. */
struct mer_memory {
    mer_u64 low, mapped;
};
#ifndef MER_RUNTIME
extern const struct mer_memory mer_memory;
#else
extern struct mer_memory mer_memory;
#endif
/* Are n bytes from a place in a span on memory?  A place in front of the span is a large number. */
MER_INLINE int mer_is_memory(mer_u64 at, mer_size n) {
    if (at < mer_memory.low)
        return mer_memory.low - at >= n;
    return at >= MER_HEAP_OFFSET && at < mer_memory.mapped && mer_memory.mapped - at >= n;
}
/* Has the owner memory for an object at bits?  Null, a thread that there is not, and what lies outside of the
 * thread's span are none. */
MER_INLINE int mer_there(mer_u64 bits, mer_size n, mer_size alignment) {
    mer_u64 t = mer_threadof(bits);
    return t < (mer_u64)MER_THREADS && bits % alignment == 0 &&
           mer_is_memory(bits - t * mer_stride() - MER_VIEW_BASE, n);
}
/* The same of an object that a local pointer leads to, if it is one that this host has. */
int mer_there_here(mer_u64 at, mer_size n) __attribute__((cold));
MER_INLINE int mer_there_own(const volatile void *object, mer_size n) {
    mer_u64 at = (mer_u64)object - MER_VIEW_BASE;
    return mer_is_memory(at - (mer_u64)MER_MYTHREAD * MER_SPAN, n) || mer_there_here(at, n);
}
/* Begins to read an object into a slot as `how' does, MER_PREFETCH_HOLD or one like it; T: its type, by which
 * it is accessed.  If it is not there, `lost' is set. */
#define MER_EARLY_HOLD(how, T, S, bits, path, slot, waiting, met, lost)                                      \
    {                                                                                                        \
        mer_u64 mer_e_ = MER_PART(S, bits, path);                                                            \
        if (mer_there(mer_e_, sizeof(slot), __alignof__(((__typeof__(S) *)0)path)))                          \
            how(T, mer_e_, [0], slot, waiting, met) else lost = 1;                                           \
    }
#define MER_EARLY_OWN(object, slot, lost)                                                                    \
    {                                                                                                        \
        __auto_type mer_at_ = &(object);                                                                     \
        if (mer_there_own(mer_at_, sizeof(slot)))                                                            \
            slot = *mer_at_;                                                                                 \
        else                                                                                                 \
            lost = 1;                                                                                        \
    }

#endif
