/* Computations ahead of the program, with values that the program may never have: a part of abi.h, which
 * includes it.
 *
 * A loop that is read ahead (crates/opt, early.rs) may compute with an index, a pointer or a divisor that an
 * earlier iteration has yet to set.  Such a computation may not fault: the arithmetic here is defined for all
 * operands, with C's value if C defines one; and a shared object is read only if its owner has memory there.
 */
#ifndef MERIDIAN_EARLY_H
#define MERIDIAN_EARLY_H

/* ---- arithmetic of integers --------------------------------------------------------------------------- */

/* The operands after the integer promotions, and `mer_r_' of the operator's type.  Sums, differences and
 * products wrap around in this type, quotients and remainders by 0 are 0, and shift counts are modulo the
 * width. */
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
/* minus: the negated value of a / -1, or a % -1, for a signed type. */
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
/* In an unsigned type that is at least as wide, bits may be shifted out on the left. */
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

/* Returns whether *of is a NaN, by its bits, and if so replaces it by 0: comparing a NaN, or converting it
 * for a comparison, may trap.  So it is harmless if the C compiler compares before it tests the result. */
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

/* The parts of each thread's span that are memory: [0, low) and [MER_HEAP_OFFSET, mapped), the same on all
 * hosts.  Constant after start-up. */
struct mer_memory {
    mer_u64 low, mapped;
};
#ifndef MER_RUNTIME
extern const struct mer_memory mer_memory;
#else
extern struct mer_memory mer_memory;
#endif
/* Returns whether the n bytes at an offset in a span are memory.  An address before the span has a large
 * unsigned offset. */
MER_INLINE int mer_is_memory(mer_u64 at, mer_size n) {
    if (at < mer_memory.low)
        return mer_memory.low - at >= n;
    return at >= MER_HEAP_OFFSET && at < mer_memory.mapped && mer_memory.mapped - at >= n;
}
/* Returns whether the owner has memory for an object at bits: not for null, for a thread that does not exist,
 * and outside of the thread's span. */
MER_INLINE int mer_there(mer_u64 bits, mer_size n, mer_size alignment) {
    mer_u64 t = mer_threadof(bits);
    return t < (mer_u64)MER_THREADS && bits % alignment == 0 &&
           mer_is_memory(bits - t * mer_stride() - MER_VIEW_BASE, n);
}
/* Return whether the object at a local pointer is memory of a thread of this host. */
int mer_there_here(mer_u64 at, mer_size n) __attribute__((cold));
MER_INLINE int mer_there_own(const volatile void *object, mer_size n) {
    mer_u64 at = (mer_u64)object - MER_VIEW_BASE;
    return mer_is_memory(at - (mer_u64)MER_MYTHREAD * MER_SPAN, n) || mer_there_here(at, n);
}
/* Begins to read an object into a slot by `how', MER_PREFETCH_HOLD or a similar macro; T: the type of the
 * access.  Sets `lost' if the owner has no memory for the object. */
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
