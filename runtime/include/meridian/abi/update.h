/* Writes and updates that loops leave to the owners of objects: a part of abi.h, which includes it.
 *
 * Only the optimiser (crates/opt) emits them: for statements whose result is unused, and for statements that
 * access many objects in no order.  Single accesses are in access.h.
 */
#ifndef MERIDIAN_UPDATE_H
#define MERIDIAN_UPDATE_H

/* The owner replaces the object by `object op value'; value is in the first bytes of a word.  The update
 * completes as a write does.  how: an operator plus 8 times a type.
 *
 * MER_ACCUMULATE_EXTREMUM replaces the object by the value if `value test object' holds.  how has 256 times
 * the test as a third term, and distinguishes signed integer types. */
void mer_remote_accumulate(mer_u64 bits, mer_u64 value, unsigned how) MER_COLD;
enum {
    MER_ACCUMULATE_ADD,
    MER_ACCUMULATE_SUB,
    MER_ACCUMULATE_AND,
    MER_ACCUMULATE_OR,
    MER_ACCUMULATE_XOR,
    MER_ACCUMULATE_EXTREMUM
};
enum { MER_ACCUMULATE_FLOAT = 5, MER_ACCUMULATE_DOUBLE = 6 }; /* else the size of an integer type */
enum { MER_ACCUMULATE_SIGNED = 16 };                          /* added to the type */
enum { MER_TEST_LESS, MER_TEST_GREATER, MER_TEST_LESS_EQUAL, MER_TEST_GREATER_EQUAL };
enum { MER_TEST_NOT = 4 }; /* added to a test: negates it */

/* `*mer_at_ sign= value' with an unused result (crates/opt, accumulate.rs).  The operand is promoted as by
 * the operator, since a bit-field has no type of its own. */
#define MER_ACCUMULATE(T, S, bits, path, sign, how, ...)                                                     \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __auto_type mer_x_ = +(__VA_ARGS__);                                                                 \
        MER_ACCUMULATE_(T, sign, how)                                                                        \
        (void)0;                                                                                             \
    })
#define MER_ACCUMULATE_(T, sign, how)                                                                        \
    if (mer_remote(mer_b_)) {                                                                                \
        union {                                                                                              \
            mer_u64 word;                                                                                    \
            __typeof__(T) value;                                                                             \
        } mer_w_ = {0};                                                                                      \
        mer_w_.value = (__typeof__(T))mer_x_;                                                                \
        mer_remote_accumulate(mer_within(mer_b_, mer_at_), mer_w_.word, how + 8 * MER_ACCUMULATED_(T));      \
    } else {                                                                                                 \
        *MER_WRITTEN(mer_at_) = *mer_at_ sign mer_x_;                                                        \
    }
#define MER_ACCUMULATED_(T)                                                                                  \
    (__builtin_types_compatible_p(__typeof__(T), float)    ? MER_ACCUMULATE_FLOAT                            \
     : __builtin_types_compatible_p(__typeof__(T), double) ? MER_ACCUMULATE_DOUBLE                           \
                                                           : (unsigned)sizeof(T))

/* A write and an update of one of many objects that are accessed in no order (crates/opt, scatter.rs): no
 * branch tests whether the object is remote (rows.h).  T: a type of at most 8 bytes. */
#define MER_SCATTER_PUT_AT(T, S, bits, path, ...)                                                            \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __typeof__(T) mer_v_ = (__VA_ARGS__);                                                                \
        __typeof__(T) mer_beside_;                                                                           \
        mer_u64 mer_r_ = mer_remote_mask(mer_b_);                                                            \
        if (MER_SCATTERED_(T, mer_v_, MER_PAIR_WRITES, sizeof(T)))                                           \
            *(__typeof__(mer_at_))mer_by_mask(mer_r_, &mer_beside_, mer_at_) = mer_v_;                       \
        else                                                                                                 \
            MER_WRITE_(T, mer_v_)                                                                            \
        mer_v_;                                                                                              \
    })
/* Two such writes to objects of one thread, each as (T, S, bits, path, value): the second value is computed
 * before the first one is written.  Here one branch tests for both: a misprediction costs less than the
 * useless work of two branchless writes. */
#define MER_SCATTER_PUT_TWO(first, second)                                                                   \
    __extension__({                                                                                          \
        MER_SCATTER_FIRST_ first MER_SCATTER_SECOND_ second mer_u64 mer_r_ = mer_remote_mask(mer_b_);        \
        if (!mer_r_) {                                                                                       \
            *MER_WRITTEN(mer_at_) = mer_v_;                                                                  \
            *MER_WRITTEN(mer_at2_) = mer_v2_;                                                                \
        } else if (mer_cache_used || !mer_rows_add_two(mer_b_, mer_row_tagged(mer_at_, sizeof(mer_v_)),      \
                                                       MER_WORD_OF_(mer_v_, mer_v_),                         \
                                                       mer_row_tagged(mer_at2_, sizeof(mer_v2_)),            \
                                                       MER_WORD_OF_(mer_v2_, mer_v2_))) {                    \
            MER_PUT_REMOTE_(mer_v_, mer_v_) {                                                                \
                mer_u64 mer_b_ = mer_b2_;                                                                    \
                __auto_type mer_at_ = mer_at2_;                                                              \
                MER_PUT_REMOTE_(mer_v2_, mer_v2_)                                                            \
            }                                                                                                \
        }                                                                                                    \
        (void)0;                                                                                             \
    })
#define MER_SCATTER_FIRST_(T, S, bits, path, ...)                                                            \
    mer_u64 mer_b_ = (bits);                                                                                 \
    __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                          \
    __typeof__(T) mer_v_ = (__VA_ARGS__);
#define MER_SCATTER_SECOND_(T, S, bits, path, ...)                                                           \
    mer_u64 mer_b2_ = (bits);                                                                                \
    __auto_type mer_at2_ = &(((__typeof__(S) *)mer_at(mer_b2_))path);                                        \
    __typeof__(T) mer_v2_ = (__VA_ARGS__);
#define MER_SCATTER_ACCUMULATE(T, S, bits, path, sign, how, ...)                                             \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __auto_type mer_x_ = +(__VA_ARGS__);                                                                 \
        __typeof__(T) mer_beside_ = 0;                                                                       \
        mer_u64 mer_r_ = mer_remote_mask(mer_b_);                                                            \
        if (MER_SCATTERED_(T, mer_x_, MER_PAIR_ACCUMULATES, how + 8 * MER_ACCUMULATED_(T))) {                \
            mer_at_ = (__typeof__(mer_at_))mer_by_mask(mer_r_, &mer_beside_, mer_at_);                       \
            *MER_WRITTEN(mer_at_) = *mer_at_ sign mer_x_;                                                    \
        } else                                                                                               \
            MER_ACCUMULATE_(T, sign, how)                                                                    \
        (void)0;                                                                                             \
    })
#define MER_SCATTERED_(T, v, handler, tag)                                                                   \
    (!mer_cache_used && mer_rows_scatter(mer_within(mer_b_, mer_at_), mer_r_, handler,                       \
                                         mer_row_tagged(mer_at_, tag), MER_WORD_OF_(T, v), (int *)0))
/* A value of at most 8 bytes in the first bytes of a word. */
#define MER_WORD_OF_(T, v)                                                                                   \
    (((union {                                                                                               \
         __typeof__(T) value;                                                                                \
         mer_u64 word;                                                                                       \
     }){(__typeof__(T))v})                                                                                   \
         .word)

/* `*mer_at_' becomes the value if `value sign *mer_at_', or if not, with `negated' (crates/opt, extremum.rs).
 * The comparison has the operands of the program's.  always: the program writes the object in any case. */
#define MER_EXTREMUM(T, S, bits, path, sign, test, negated, always, ...)                                     \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __auto_type mer_x_ = +(__VA_ARGS__);                                                                 \
        if (mer_remote(mer_b_)) {                                                                            \
            union {                                                                                          \
                mer_u64 word;                                                                                \
                __typeof__(T) value;                                                                         \
            } mer_w_ = {0};                                                                                  \
            mer_w_.value = (__typeof__(T))mer_x_;                                                            \
            mer_remote_accumulate(mer_within(mer_b_, mer_at_), mer_w_.word,                                  \
                                  MER_ACCUMULATE_EXTREMUM + 8 * (MER_ACCUMULATED_(T) + MER_SIGNED_(T)) +     \
                                      256 * (test + MER_TEST_NOT * negated));                                \
        } else {                                                                                             \
            __auto_type mer_old_ = *mer_at_;                                                                 \
            if ((mer_x_ sign mer_old_) != negated)                                                           \
                *MER_WRITTEN(mer_at_) = (__typeof__(T))mer_x_;                                               \
            else if (always)                                                                                 \
                *mer_at_ = mer_old_;                                                                         \
        }                                                                                                    \
        (void)0;                                                                                             \
    })
#define MER_SIGNED_(T) ((__typeof__(T))-1 < 1 ? MER_ACCUMULATE_SIGNED : 0)

#endif
