/* How compiled code reaches shared memory: a part of abi.h, which includes it.
 *
 * An access to a thread of this host is a plain load or store of the C compiler's; what lies on another host
 * is remote: the runtime fetches it (rma).  Strict accesses add the fences, copies the lengths.
 */
#ifndef MERIDIAN_ACCESS_H
#define MERIDIAN_ACCESS_H

/* ---- memory of other hosts ------------------------------------------------------------------------ */

/* Where a job spans hosts, the views of the threads on other hosts are address space without memory, and what
 * lies there is remote: it is asked of its owner's host.  A job on one host has no remote memory; there the
 * question is one test of a constant, which C compilers take out of loops, and once answered it answers those
 * behind it. */
#define MER_HAS_REMOTE __builtin_expect(mer_job.has_remote, 0)
#ifndef MER_CALLS
#define mer_remote(bits)                                                                                     \
    (MER_HAS_REMOTE && mer_threadof(bits) - (mer_u64)mer_job.here_first >= (mer_u64)mer_job.here)
#else
int mer_remote(mer_u64 bits);
#endif

/* The same of an object that may be any processor's in Split-C and AC: everything.h defines it otherwise. */
#define MER_ELSEWHERE(bits) mer_remote(bits)

/* To the callers, what reaches other hosts is the exception; the functions themselves are to be fast, where a
 * C compiler would make them small. */
#ifdef MER_RUNTIME
#define MER_COLD
#else
#define MER_COLD __attribute__((cold))
#endif

/* Reads and writes of remote memory (runtime/rma), relaxed: a read blocks; a write may complete later,
 * but a later read of the same place by this thread sees it.  n bytes, at one thread; null is a fatal
 * message. Of at most 8 bytes the value itself passes, in the first n bytes of a word: so a variable stays in
 * its register. mer_remote_read waits, and so runs handlers of active messages, which change what they
 * please: it is not `pure'.  Not from handlers of active messages. */
mer_u64 mer_remote_read(mer_u64 bits, mer_size n) MER_COLD;
void mer_remote_write(mer_u64 bits, mer_u64 value, mer_size n) MER_COLD;
/* The strict form: behind all that this thread has written, and complete on return. */
void mer_remote_write_strict(mer_u64 bits, mer_u64 value, mer_size n) MER_COLD;
void *mer_remote_get(void *to, mer_u64 bits, mer_size n) MER_COLD; /* gives `to` */
void mer_remote_put(mer_u64 bits, const void *from, mer_size n) MER_COLD;
/* `width` bits, the lowest of them bit `bit` of the bytes at bits; a write leaves the bits beside them alone,
 * whoever else writes those. */
mer_u64 mer_remote_field_get(mer_u64 bits, unsigned bit, unsigned width) MER_COLD;
void mer_remote_field_put(mer_u64 bits, unsigned bit, unsigned width, mer_u64 value) MER_COLD;
/* n bytes; either side, or both, may be remote. */
void mer_remote_copy(mer_u64 to, mer_u64 from, mer_size n) MER_COLD;
void mer_remote_set(mer_u64 to, int byte, mer_size n) MER_COLD;
/* Copies of more than this many bytes are looked at first: so many that they leave the thread's shared
 * memory, as of a negative number, are a fatal message that names the call (rma/bounds.c). */
#define MER_COPY_MANY (1ULL << 30)
void mer_copy_bounds(mer_u64 bits, mer_size n, const char *name) MER_COLD;
/* Starts a read of n remote bytes: ++*waiting, which is 0 again when they have come; `to' stays until
 * then. mer_remote_get_wait waits for all reads of a counter: not the exception in the loops that call it. */
void mer_remote_get_start(void *to, mer_u64 bits, mer_size n, int *waiting) MER_COLD;
void mer_remote_get_wait(const int *waiting);
/* All earlier writes of this thread are complete. */
void mer_remote_fence(void) MER_COLD;

/* The bits of an address inside the object at bits. A macro, because gcc warns where the address of a
 * restrict pointer becomes another pointer. */
#define mer_within(bits, at) (((bits) & ~MER_ADDR_MASK) | (mer_u64)(at))

/* A part of the object at bits, by its path: its bits. T as the type of a part of a union, which other types
 * may alias. And an access that the C compiler moves past no other one. */
#define MER_PART(S, bits, path)                                                                              \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        mer_within(mer_b_, &(((__typeof__(S) *)mer_at(mer_b_))path));                                        \
    })
#define MER_ALIASED(T)                                                                                       \
    __typeof__(*__extension__({                                                                              \
        typedef __typeof__(T) mer_aliased_                                                                   \
            __attribute__((__may_alias__)); /* clang knows it of these alone */                              \
        (mer_aliased_ *)0;                                                                                   \
    }))
#define MER_IN_ORDER(...)                                                                                    \
    __extension__({                                                                                          \
        __asm__ volatile("" ::: "memory");                                                                   \
        __auto_type mer_value_ = (__VA_ARGS__);                                                              \
        __asm__ volatile("" ::: "memory");                                                                   \
        mer_value_;                                                                                          \
    })

/* ---- access -------------------------------------------------------------------------------------- */

/* Relaxed accesses are plain loads and stores of the C compiler's, but for what is remote.  bits: mer_u64. T:
 * the type of the value.  S and path: at bits there is an S, or more of them, and `p path`, p being the
 * pointer to it, is what is accessed: `[0]`, `->member`, `[i]`, `[i].member`.
 *
 *   MER_GET, ..._AT           read a number or pointer
 *   MER_GET_OUTSIDE           the same outside of a function's body, in the length of a parameter, where no
 *                             statement may stand: bits is computed twice
 *   MER_PUT, ..._AT           write one; has the value written
 *   MER_GET_ELEM_AT           read an element of a static array, `(a, n, size ...)', the arguments of
 *                             mer_elem_c or _b (abi.h), of which `how' is the last letter: in code without
 *                             optimisation
 *   MER_UPDATE, ..._AT        write what is computed of mer_old_, the value read; has the value written,
 *   MER_UPDATE_POST, ..._AT   or mer_old_
 *   MER_GET_OBJECT            read, and write, a struct, union or vector
 *   MER_PUT_OBJECT
 *   MER_CHANGE_PART           change a part of one, which is *mer_o_, by an expression; has its value
 *   MER_GET_FIELD, _PUT_, _UPDATE_ ...   bit-field f of the struct `p path`: `width` bits from bit `bit` on
 *   MER_OPERAND               an operand of `asm': declares a pointer `name' to it, or to a copy of what is
 *                             remote, which is read first if `reads' is 1; behind the statement
 *                             MER_OPERAND_DONE writes the copy back
 *   MER_REF                   the object itself, where it is known not to be remote */
#define MER_REF(T, bits) (*(__typeof__(T) *)mer_at(bits))
/* The first object of this thread's part of the static array at native address a. */
#define MER_OWN(T, a) (*(__typeof__(T) *)(MER_VIEW_BASE + (mer_u64)MER_MYTHREAD * MER_SPAN + (mer_u64)(a)))
/* The same of an array in an image's memory, by its name (abi.h). */
#define MER_OWN_NAMED(T, image, object) (*(__typeof__(T) *)MER_OWN_PART(image, object))

#define MER_GET(T, bits) MER_GET_AT(T, T, bits, [0])
#define MER_PUT(T, bits, ...) MER_PUT_AT(T, T, bits, [0], __VA_ARGS__)
#define MER_UPDATE(T, bits, ...) MER_UPDATE_(T, T, bits, [0], mer_new_, __VA_ARGS__)
#define MER_UPDATE_AT(T, S, bits, path, ...) MER_UPDATE_(T, S, bits, path, mer_new_, __VA_ARGS__)
#define MER_UPDATE_POST(T, bits, ...) MER_UPDATE_(T, T, bits, [0], mer_old_, __VA_ARGS__)
#define MER_UPDATE_POST_AT(T, S, bits, path, ...) MER_UPDATE_(T, S, bits, path, mer_old_, __VA_ARGS__)

/* By calls (rma/called.c), in code without optimisation, and in loops that run seldom: C compilers need a
 * fifth of the time.
 *
 * mer_read: where n bytes at bits can be read: there or, if they are remote, at `copy'.  mer_write: where the
 * n bytes `value' are to be written: there or, if that is remote and they have been written, where they are.
 * So the access itself is of the program's line, and what is said of a fault names that. */
#if defined(MER_CALLS) || defined(MER_SMALL_HERE)
#define MER_SELDOM
#else
#define MER_SELDOM __attribute__((cold))
#endif
void *mer_read(mer_u64 bits, void *copy, mer_size n) MER_SELDOM;
void *mer_write(mer_u64 bits, void *value, mer_size n) MER_SELDOM;
/* Elements, as mer_elem_c and _b name them (abi.h); of loops that run seldom. */
mer_ptr mer_seldom_elem_c(mer_u64 a, mer_i64 n, mer_u64 size) __attribute__((const)) MER_SELDOM;
mer_pptr mer_seldom_elem_b(mer_u64 a, mer_i64 n, mer_u64 size, mer_u64 block)
    __attribute__((const)) MER_SELDOM;
/* The same of element n of a static array, as mer_elem_c and _b name it: one call in place of two. */
void *mer_read_elem_c(mer_u64 a, mer_i64 n, mer_u64 size, void *copy, mer_size bytes) MER_SELDOM;
void *mer_read_elem_b(mer_u64 a, mer_i64 n, mer_u64 size, mer_u64 block, void *copy,
                      mer_size bytes) MER_SELDOM;
#define MER_BITS_OF_(S, bits, ...) ((bits) + MER_OFFSET_(S, __VA_ARGS__))
#define MER_OFFSET_(S, ...) ((mer_u64) & (((__typeof__(S) *)MER_VIEW_BASE)__VA_ARGS__) - MER_VIEW_BASE)
/* Without variables: a block of its own within a line would be a second place of it for breakpoints. */
#define MER_CALL_GET_AT(T, S, bits, ...)                                                                     \
    (*__extension__(__typeof__(T) *)                                                                         \
         mer_read(MER_BITS_OF_(S, bits, __VA_ARGS__), (void *)(__typeof__(T)[1]){}, sizeof(T)))
#define MER_CALL_PUT_AT(T, S, bits, path, ...)                                                               \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __typeof__(T) mer_v_ = (__VA_ARGS__);                                                                \
        *(__typeof__(mer_at_))mer_write(mer_within(mer_b_, mer_at_), (void *)&mer_v_, sizeof(T)) = mer_v_;   \
        mer_v_;                                                                                              \
    })
#define MER_CALL_UPDATE(T, S, bits, path, result, ...)                                                       \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __typeof__(T) mer_old_, mer_new_;                                                                    \
        mer_b_ = mer_within(mer_b_, mer_at_);                                                                \
        mer_old_ = *(__typeof__(mer_at_))mer_read(mer_b_, (void *)&mer_old_, sizeof(T));                     \
        mer_new_ = (__VA_ARGS__);                                                                            \
        *(__typeof__(mer_at_))mer_write(mer_b_, (void *)&mer_new_, sizeof(T)) = mer_new_;                    \
        result;                                                                                              \
    })
/* The same of numbers in loops that run seldom, wholly by calls, since the time that C compilers take for
 * such a loop goes by its length.  how: the functions of its type: double, float, or word for integers of at
 * most 8 bytes. */
#define MER_SELDOM_GET(how, T, S, bits, path)                                                                \
    ((__typeof__(T))mer_seldom_get_##how(MER_BITS_OF_(S, bits, path) MER_SELDOM_SIZE_##how(T)))
#define MER_SELDOM_PUT(how, T, S, bits, path, ...)                                                           \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = MER_BITS_OF_(S, bits, path);                                                        \
        __typeof__(T) mer_v_ = (__VA_ARGS__);                                                                \
        mer_seldom_put_##how(mer_b_, MER_SELDOM_AS_##how mer_v_ MER_SELDOM_SIZE_##how(T));                   \
        mer_v_;                                                                                              \
    })
#define MER_SELDOM_UPDATE(how, T, S, bits, path, result, ...)                                                \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = MER_BITS_OF_(S, bits, path);                                                        \
        __typeof__(T) mer_old_ = (__typeof__(T))mer_seldom_get_##how(mer_b_ MER_SELDOM_SIZE_##how(T));       \
        __typeof__(T) mer_new_ = (__VA_ARGS__);                                                              \
        mer_seldom_put_##how(mer_b_, MER_SELDOM_AS_##how mer_new_ MER_SELDOM_SIZE_##how(T));                 \
        result;                                                                                              \
    })
#define MER_SELDOM_SIZE_double(T)
#define MER_SELDOM_SIZE_float(T)
#define MER_SELDOM_SIZE_word(T) , sizeof(T)
#define MER_SELDOM_AS_double
#define MER_SELDOM_AS_float
#define MER_SELDOM_AS_word (mer_u64)
double mer_seldom_get_double(mer_u64 bits) MER_SELDOM;
float mer_seldom_get_float(mer_u64 bits) MER_SELDOM;
/* n bytes, 1, 2, 4 or 8: the lowest of a word, whose others are 0; of `value' the others do not count. */
mer_u64 mer_seldom_get_word(mer_u64 bits, mer_size n) MER_SELDOM;
void mer_seldom_put_double(mer_u64 bits, double value) MER_SELDOM;
void mer_seldom_put_float(mer_u64 bits, float value) MER_SELDOM;
void mer_seldom_put_word(mer_u64 bits, mer_u64 value, mer_size n) MER_SELDOM;
#ifdef MER_CALLS
#define MER_GET_AT MER_CALL_GET_AT
/* With as few variables as there can be: without optimisation each is a store and a load.  Type-based alias
 * analysis, for which the others have mer_at_, is none there.  Where an object lies is found in front of its
 * value, as with optimisation: C leaves the order open, and programs come to rely on one. */
#define MER_PUT_AT(T, S, bits, path, ...)                                                                    \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = MER_BITS_OF_(S, bits, path);                                                        \
        __typeof__(T) mer_v_ = (__VA_ARGS__);                                                                \
        *(__typeof__(T) *)mer_write(mer_b_, (void *)&mer_v_, sizeof(T)) = mer_v_;                            \
        mer_v_;                                                                                              \
    })
/* What lies at the path has the same offset from the array's beginning as from the element's. */
#define MER_GET_ELEM_AT(T, S, path, how, elem)                                                               \
    (*__extension__(__typeof__(T) *)                                                                         \
         mer_read_elem_##how(MER_OFFSET_(S, path) + MER_ALL_ elem, (void *)(__typeof__(T)[1]){}, sizeof(T)))
#define MER_ALL_(...) __VA_ARGS__
#define MER_UPDATE_(T, S, bits, path, result, ...)                                                           \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = MER_BITS_OF_(S, bits, path);                                                        \
        __typeof__(T) mer_old_, mer_new_;                                                                    \
        mer_old_ = *(__typeof__(T) *)mer_read(mer_b_, (void *)&mer_old_, sizeof(T));                         \
        mer_new_ = (__VA_ARGS__);                                                                            \
        *(__typeof__(T) *)mer_write(mer_b_, (void *)&mer_new_, sizeof(T)) = mer_new_;                        \
        result;                                                                                              \
    })
#else
#define MER_GET_AT(T, S, bits, ...)                                                                          \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))__VA_ARGS__);                               \
        __typeof__(T) mer_v_;                                                                                \
        MER_READ_(T, mer_v_)                                                                                 \
        mer_v_;                                                                                              \
    })
#define MER_PUT_AT(T, S, bits, path, ...)                                                                    \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __typeof__(T) mer_v_ = (__VA_ARGS__);                                                                \
        MER_WRITE_(T, mer_v_)                                                                                \
        mer_v_;                                                                                              \
    })
#define MER_UPDATE_(T, S, bits, path, result, ...)                                                           \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __typeof__(T) mer_old_;                                                                              \
        MER_READ_(T, mer_old_)                                                                               \
        __typeof__(T) mer_new_ = (__VA_ARGS__);                                                              \
        MER_WRITE_(T, mer_new_)                                                                              \
        result;                                                                                              \
    })
#endif
#ifndef MER_CALLS
#define MER_GET_ELEM_AT(T, S, path, how, elem) MER_GET_AT(T, S, mer_elem_##how elem.bits, path)
#endif
/* v becomes what *mer_at_, in the object at mer_b_, is; and the other way round below. */
#define MER_READ_(T, v)                                                                                      \
    if (mer_remote(mer_b_)) {                                                                                \
        MER_GET_REMOTE_(T, v)                                                                                \
    } else {                                                                                                 \
        v = *mer_at_;                                                                                        \
    }
#define MER_GET_REMOTE_(T, v)                                                                                \
    if (sizeof(T) > sizeof(mer_u64) ||                                                                       \
        __builtin_types_compatible_p(__typeof__(mer_at_), volatile __typeof__(T) *)) {                       \
        __typeof__(T) mer_copy_;                                                                             \
        mer_remote_get((void *)&mer_copy_, mer_within(mer_b_, mer_at_), sizeof(T));                          \
        v = mer_copy_;                                                                                       \
    } else {                                                                                                 \
        union {                                                                                              \
            mer_u64 word;                                                                                    \
            __typeof__(T) value;                                                                             \
        } mer_w_;                                                                                            \
        mer_w_.word = mer_remote_read(mer_within(mer_b_, mer_at_), sizeof(T));                               \
        v = mer_w_.value;                                                                                    \
    }

#define MER_WRITE_(T, v)                                                                                     \
    if (mer_remote(mer_b_)) {                                                                                \
        MER_PUT_REMOTE_(T, v)                                                                                \
    } else {                                                                                                 \
        *mer_at_ = v;                                                                                        \
    }
#define MER_PUT_REMOTE_(T, v)                                                                                \
    if (sizeof(T) > sizeof(mer_u64)) {                                                                       \
        __typeof__(T) mer_copy_ = v;                                                                         \
        mer_remote_put(mer_within(mer_b_, mer_at_), (const void *)&mer_copy_, sizeof(T));                    \
    } else {                                                                                                 \
        union {                                                                                              \
            mer_u64 word;                                                                                    \
            __typeof__(T) value;                                                                             \
        } mer_w_ = {0};                                                                                      \
        mer_w_.value = v;                                                                                    \
        mer_remote_write(mer_within(mer_b_, mer_at_), mer_w_.word, sizeof(T));                               \
    }

#define MER_GET_OBJECT(T, S, bits, ...)                                                                      \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __typeof__(T) mer_copy_;                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))__VA_ARGS__);                               \
        if (MER_ELSEWHERE(mer_b_))                                                                           \
            mer_at_ = mer_remote_get((void *)&mer_copy_, mer_within(mer_b_, mer_at_), sizeof(T));            \
        *mer_at_;                                                                                            \
    })
#define MER_PUT_OBJECT(T, S, bits, path, ...)                                                                \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __typeof__(T) mer_copy_;                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __auto_type mer_to_ = MER_ELSEWHERE(mer_b_) ? (__typeof__(mer_at_))&mer_copy_ : mer_at_;             \
        *mer_to_ = (__VA_ARGS__);                                                                            \
        if (MER_ELSEWHERE(mer_b_))                                                                           \
            mer_remote_put(mer_within(mer_b_, mer_at_), (const void *)&mer_copy_, sizeof(T));                \
        *mer_to_;                                                                                            \
    })
#define MER_CHANGE_PART(T, S, bits, path, ...)                                                               \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __typeof__(T) mer_copy_;                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __auto_type mer_o_ = mer_at_;                                                                        \
        if (MER_ELSEWHERE(mer_b_))                                                                           \
            mer_o_ = mer_remote_get((void *)&mer_copy_, mer_within(mer_b_, mer_at_), sizeof(T));             \
        __auto_type mer_v_ = (__VA_ARGS__);                                                                  \
        if (MER_ELSEWHERE(mer_b_))                                                                           \
            mer_remote_put(mer_within(mer_b_, mer_at_), (const void *)&mer_copy_, sizeof(T));                \
        mer_v_;                                                                                              \
    })

#define MER_OPERAND(T, S, bits, path, name, reads)                                                           \
    mer_u64 name##bits_ = (bits);                                                                            \
    __auto_type name = &(((__typeof__(S) *)mer_at(name##bits_))path);                                        \
    __typeof__(T) name##copy_;                                                                               \
    name##bits_ = mer_remote(name##bits_) ? mer_within(name##bits_, name) : 0;                               \
    MER_OPERAND_COPY_(mer_remote_get, name, reads)
#define MER_OPERAND_COPY_(get, name, reads)                                                                  \
    if (name##bits_) {                                                                                       \
        name = (__typeof__(name))&name##copy_;                                                               \
        if (reads)                                                                                           \
            get((void *)&name##copy_, name##bits_, sizeof *name);                                            \
    }
#define MER_OPERAND_DONE(put, name)                                                                          \
    if (name##bits_)                                                                                         \
    put(name##bits_, (const void *)name, sizeof *name)

/* The value of a bit-field of type T, of the lowest bits of a word. */
#define MER_FIELD_VALUE_(T, word, width)                                                                     \
    ((T)-1 < 0 ? (T)((mer_i64)((word) << (64 - (width))) >> (64 - (width)))                                  \
               : (T)((word) << (64 - (width)) >> (64 - (width))))
/* The first bit of field f of *mer_at_ where only the C compiler knows its layout: which bit, set alone, does
 * the field have?  The argument `bit' of the macros below, evaluated where the struct is remote. */
#define MER_FIELD_BIT(f)                                                                                     \
    __extension__({                                                                                          \
        union {                                                                                              \
            __typeof__(*mer_at_) whole;                                                                      \
            unsigned char bytes[sizeof *mer_at_];                                                            \
        } mer_m_;                                                                                            \
        unsigned mer_i_ = 0;                                                                                 \
        __builtin_memset(&mer_m_, 0, sizeof mer_m_);                                                         \
        for (;; mer_i_++) {                                                                                  \
            mer_m_.bytes[mer_i_ / 8] = (unsigned char)(1U << mer_i_ % 8);                                    \
            if (mer_m_.whole.f)                                                                              \
                break;                                                                                       \
            mer_m_.bytes[mer_i_ / 8] = 0;                                                                    \
        }                                                                                                    \
        mer_i_;                                                                                              \
    })
#define MER_GET_FIELD(T, S, bits, path, f, bit, width)                                                       \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __typeof__(+mer_at_->f) mer_v_;                                                                      \
        if (MER_ELSEWHERE(mer_b_)) {                                                                         \
            mer_u64 mer_w_ = mer_remote_field_get(mer_within(mer_b_, mer_at_), bit, width);                  \
            mer_v_ = MER_FIELD_VALUE_(T, mer_w_, width);                                                     \
        } else {                                                                                             \
            mer_v_ = mer_at_->f;                                                                             \
        }                                                                                                    \
        mer_v_;                                                                                              \
    })
#define MER_PUT_FIELD(T, S, bits, path, f, bit, width, ...)                                                  \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        __typeof__(+mer_at_->f) mer_v_;                                                                      \
        T mer_n_ = (__VA_ARGS__);                                                                            \
        if (MER_ELSEWHERE(mer_b_)) {                                                                         \
            mer_u64 mer_w_ = (mer_u64)mer_n_;                                                                \
            mer_remote_field_put(mer_within(mer_b_, mer_at_), bit, width, mer_w_);                           \
            mer_v_ = MER_FIELD_VALUE_(T, mer_w_, width);                                                     \
        } else {                                                                                             \
            mer_v_ = (mer_at_->f = mer_n_);                                                                  \
        }                                                                                                    \
        mer_v_;                                                                                              \
    })
#define MER_UPDATE_FIELD(...) MER_UPDATE_FIELD_(mer_new_, __VA_ARGS__)
#define MER_UPDATE_FIELD_POST(...) MER_UPDATE_FIELD_(mer_old_, __VA_ARGS__)
#define MER_UPDATE_FIELD_(result, T, S, bits, path, f, bit, width, ...)                                      \
    __extension__({                                                                                          \
        mer_u64 mer_ub_ = (bits);                                                                            \
        __auto_type mer_uat_ = &(((__typeof__(S) *)mer_at(mer_ub_))path);                                    \
        mer_ub_ = mer_within(mer_ub_, mer_uat_);                                                             \
        __typeof__(+mer_uat_->f) mer_old_ = MER_GET_FIELD(T, *mer_uat_, mer_ub_, [0], f, bit, width);        \
        __typeof__(+mer_uat_->f) mer_new_ = MER_PUT_FIELD(T, *mer_uat_, mer_ub_, [0], f, bit, width,         \
                                                          __VA_ARGS__);                                      \
        (void)mer_old_, (void)mer_new_;                                                                      \
        result;                                                                                              \
    })

/* Strict accesses (UPC B.3): every access of this thread before is complete before it, every access
 * after it starts after.  x86 needs the store-load fence on the side where a store may be overtaken: in
 * front of a strict read and behind a strict write; partner of each: the same fences of other threads.
 * get: a relaxed read; put: a relaxed write of mer_s_; update: any of the above. */
MER_SMALL void mer_complete(void) {
    if (MER_HAS_REMOTE)
        mer_remote_fence();
}
/* A loop that waits for a strict object, `for (;;) if (flag) break;', or by upc_fence, has a fence in each
 * turn.  Where there are more threads than cores, the one that is to change the object may need this core: so
 * each 4096th fence offers it.  That is seldom enough to cost nothing where nobody waits.  (spin.c has the
 * loops with an empty body.) */
extern unsigned mer_fences;
void mer_fence_turn(void);
/* Relaxed: POSIX threads that have fences at once may count one for two. */
MER_INLINE void mer_fence_counted(void) {
    unsigned fences = __atomic_load_n(&mer_fences, __ATOMIC_RELAXED) + 1;
    __atomic_store_n(&mer_fences, fences, __ATOMIC_RELAXED);
    if (__builtin_expect(fences % 4096 == 0, 0))
        mer_fence_turn();
}
#if defined(__x86_64__)
/* What gcc makes of the fence below; clang takes mfence, which costs eight times as much. */
#define mer_fence()                                                                                          \
    (mer_complete(), mer_fence_counted(), __extension__({                                                    \
         __asm__ __volatile__("lock; orq $0, (%%rsp)" ::: "memory", "cc");                                   \
     }))
#else
#define mer_fence() (mer_complete(), mer_fence_counted(), __atomic_thread_fence(__ATOMIC_SEQ_CST))
#endif
#define MER_STRICT_GET(T, ...)                                                                               \
    __extension__({                                                                                          \
        mer_fence();                                                                                         \
        __typeof__(T) mer_v_ = (__VA_ARGS__);                                                                \
        __atomic_thread_fence(__ATOMIC_ACQUIRE);                                                             \
        mer_v_;                                                                                              \
    })
#define MER_STRICT_PUT(T, put, ...)                                                                          \
    __extension__({                                                                                          \
        __typeof__(T) mer_s_ = (__VA_ARGS__);                                                                \
        mer_complete();                                                                                      \
        __atomic_thread_fence(__ATOMIC_RELEASE);                                                             \
        put;                                                                                                 \
        mer_fence();                                                                                         \
        mer_s_;                                                                                              \
    })
/* The same of a number or pointer, by its place as for MER_PUT_AT.  One that is remote is ordered behind the
 * writes before it by the runtime, which waits once where they go to one thread. */
#ifdef MER_CALLS
#define MER_STRICT_PUT_AT(T, S, bits, path, ...)                                                             \
    MER_STRICT_PUT(T, MER_CALL_PUT_AT(T, S, bits, path, mer_s_), __VA_ARGS__)
#else
#define MER_STRICT_PUT_AT(T, S, bits, path, ...)                                                             \
    __extension__({                                                                                          \
        __typeof__(T) mer_s_ = (__VA_ARGS__);                                                                \
        mer_u64 mer_b_ = (bits);                                                                             \
        __auto_type mer_at_ = &(((__typeof__(S) *)mer_at(mer_b_))path);                                      \
        if (mer_remote(mer_b_) && sizeof(T) <= sizeof(mer_u64)) {                                            \
            union {                                                                                          \
                mer_u64 word;                                                                                \
                __typeof__(T) value;                                                                         \
            } mer_w_ = {0};                                                                                  \
            mer_w_.value = mer_s_;                                                                           \
            mer_remote_write_strict(mer_within(mer_b_, mer_at_), mer_w_.word, sizeof(T));                    \
        } else {                                                                                             \
            mer_complete();                                                                                  \
            __atomic_thread_fence(__ATOMIC_RELEASE);                                                         \
            MER_WRITE_(T, mer_s_)                                                                            \
            mer_fence();                                                                                     \
        }                                                                                                    \
        mer_s_;                                                                                              \
    })
#endif
#define MER_STRICT_UPDATE(T, ...)                                                                            \
    __extension__({                                                                                          \
        mer_fence();                                                                                         \
        __typeof__(T) mer_v_ = (__VA_ARGS__);                                                                \
        mer_fence();                                                                                         \
        mer_v_;                                                                                              \
    })

/* Gives n back. Behind the call it is hidden: the C compiler would else warn, of a copy to a private object
 * of known size, that more than MER_COPY_MANY bytes overflow it. */
MER_INLINE mer_size mer_copy_check(mer_u64 bits, mer_size n, const char *name) {
    if (__builtin_expect(n > MER_COPY_MANY, 0)) {
        mer_copy_bounds(bits, n, name);
        __asm__("" : "+r"(n));
    }
    return n;
}

/* Copies (UPC 7.2.5): n bytes; within a host all shared memory is in the address space. */
MER_SMALL void mer_memcpy_local(mer_u64 to, mer_u64 from, mer_size n) {
    n = mer_copy_check(to, n, "upc_memcpy");
    n = mer_copy_check(from, n, "upc_memcpy");
    mer_bytes_copy(mer_at(to), mer_at(from), n);
}
MER_SMALL void mer_memget_local(void *to, mer_u64 from, mer_size n) {
    n = mer_copy_check(from, n, "upc_memget");
    mer_bytes_copy(to, mer_at(from), n);
}
MER_SMALL void mer_memput_local(mer_u64 to, const void *from, mer_size n) {
    n = mer_copy_check(to, n, "upc_memput");
    mer_bytes_copy(mer_at(to), from, n);
}
MER_SMALL void mer_memset_local(mer_u64 to, int byte, mer_size n) {
    n = mer_copy_check(to, n, "upc_memset");
    __builtin_memset(mer_at(to), byte, mer_length(n, 64));
}
/* The same of what may be remote. */
MER_SMALL void mer_memcpy(mer_u64 to, mer_u64 from, mer_size n) {
    if (mer_remote(to) || mer_remote(from))
        mer_remote_copy(to, from, n);
    else
        mer_memcpy_local(to, from, n);
}
MER_SMALL void mer_memget(void *to, mer_u64 from, mer_size n) {
    if (mer_remote(from))
        mer_remote_get(to, from, n);
    else
        mer_memget_local(to, from, n);
}
MER_SMALL void mer_memput(mer_u64 to, const void *from, mer_size n) {
    if (mer_remote(to))
        mer_remote_put(to, from, n);
    else
        mer_memput_local(to, from, n);
}
MER_SMALL void mer_memset(mer_u64 to, int byte, mer_size n) {
    if (mer_remote(to))
        mer_remote_set(to, byte, n);
    else
        mer_memset_local(to, byte, n);
}

/* n bytes at bits, in `to', which is given back. */
MER_INLINE const void *mer_get_outside(void *to, mer_u64 bits, mer_size n, int is_strict) {
    if (is_strict)
        mer_fence();
    mer_memget(to, bits, n);
    if (is_strict)
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return to;
}
#define MER_GET_OUTSIDE(T, S, bits, path, strict)                                                            \
    (*(__typeof__(T) const *)mer_get_outside((void *)&(__typeof__(T)){0},                                    \
                                             mer_within(bits, &(((__typeof__(S) *)mer_at(bits))path)),       \
                                             sizeof(T), strict))

#endif
