/* Access of compiled code to shared memory: a part of abi.h, which includes it.
 *
 * An access to a thread of this host is a plain load or store of the C compiler's; an access to another
 * host's memory is remote, and a call of the runtime (rma).  Strict accesses add the fences, copies the
 * lengths.
 */
#ifndef MERIDIAN_ACCESS_H
#define MERIDIAN_ACCESS_H

/* ---- memory of other hosts ------------------------------------------------------------------------ */

/* If a job spans hosts, the views of the threads on other hosts are address space without memory, and objects
 * there are remote: accesses are messages to the owner's host.  A job on one host has no remote memory.  Its
 * accesses test only a constant; C compilers take this test out of loops, and merge it with later tests. */
#define MER_HAS_REMOTE __builtin_expect(mer_job.has_remote, 0)
#ifndef MER_CALLS
#define mer_remote(bits)                                                                                     \
    (MER_HAS_REMOTE && mer_threadof(bits) - (mer_u64)mer_job.here_first >= (mer_u64)mer_job.here)
#else
int mer_remote(mer_u64 bits);
#endif

/* The test for an object that may be private memory of another processor in Split-C and AC: everything.h
 * redefines it. */
#define MER_ELSEWHERE(bits) mer_remote(bits)

/* For callers, a call to another host is the exception.  The runtime does not mark the functions as cold: C
 * compilers would then optimise them for size, not speed. */
#ifdef MER_RUNTIME
#define MER_COLD
#else
#define MER_COLD __attribute__((cold))
#endif

/* Reads and writes of n bytes of remote memory of one thread (runtime/rma), relaxed: a read blocks; a write
 * may complete later, but a later read of the same memory by this thread sees it.  A null pointer is a fatal
 * error with a message.  mer_remote_read and mer_remote_write pass the value itself, at most 8 bytes, in the
 * first n bytes of a word, so that a variable stays in its register.  mer_remote_read waits, and so runs
 * handlers of active messages, which may change any memory: it is not `pure'.  Handlers may not call these
 * functions. */
mer_u64 mer_remote_read(mer_u64 bits, mer_size n) MER_COLD;
void mer_remote_write(mer_u64 bits, mer_u64 value, mer_size n) MER_COLD;
/* The strict form: after all earlier writes of this thread, and complete on return. */
void mer_remote_write_strict(mer_u64 bits, mer_u64 value, mer_size n) MER_COLD;
void *mer_remote_get(void *to, mer_u64 bits, mer_size n) MER_COLD; /* returns `to` */
void mer_remote_put(mer_u64 bits, const void *from, mer_size n) MER_COLD;
/* Read and write `width` bits, the lowest of them bit `bit` of the bytes at bits.  A write preserves the bits
 * beside them, even if other threads write those at the same time. */
mer_u64 mer_remote_field_get(mer_u64 bits, unsigned bit, unsigned width) MER_COLD;
void mer_remote_field_put(mer_u64 bits, unsigned bit, unsigned width, mer_u64 value) MER_COLD;
/* Copy, or set, n bytes; either side of a copy, or both, may be remote. */
void mer_remote_copy(mer_u64 to, mer_u64 from, mer_size n) MER_COLD;
void mer_remote_set(mer_u64 to, int byte, mer_size n) MER_COLD;
/* Copies of more than this many bytes are checked first.  A length that leaves the thread's shared memory,
 * such as a negative number, is a fatal error with a message that names the call (rma/copy_bounds.c). */
#define MER_COPY_MANY (1ULL << 30)
void mer_copy_bounds(mer_u64 bits, mer_size n, const char *name) MER_COLD;
/* Starts a read of n remote bytes into `to', which has to exist until they have come.  It increments
 * *waiting, and the arrival decrements it.  mer_remote_get_wait waits for all reads of a counter; it is not
 * cold, since the loops that call it always do. */
void mer_remote_get_start(void *to, mer_u64 bits, mer_size n, int *waiting) MER_COLD;
void mer_remote_get_wait(const int *waiting);
/* Waits until all earlier writes of this thread are complete. */
void mer_remote_fence(void) MER_COLD;

/* The bits of an address inside the object at bits.  A macro, because gcc warns if the address of a restrict
 * pointer becomes another pointer. */
#define mer_within(bits, at) (((bits) & ~MER_ADDR_MASK) | (mer_u64)(at))

/* MER_PART: the bits of a part of the object at bits, by its path.  MER_ALIASED: T as the type of a part of a
 * union, which other types may alias.  MER_IN_ORDER: an access that the C compiler does not reorder with
 * others. */
#define MER_PART(S, bits, path)                                                                              \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        mer_within(mer_b_, &(((__typeof__(S) *)mer_at(mer_b_))path));                                        \
    })
#define MER_ALIASED(T)                                                                                       \
    __typeof__(*__extension__({                                                                              \
        typedef __typeof__(T) mer_aliased_                                                                   \
            __attribute__((__may_alias__)); /* clang has the attribute for typedefs only */                  \
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

/* Relaxed accesses are plain loads and stores of the C compiler's, except to remote memory.  bits: mer_u64.
 * T: the type of the value.  S and path: at bits there are one or more objects of type S, and the access is
 * to `p path`, with p a pointer to the first: `[0]`, `->member`, `[i]`, `[i].member`.
 *
 *   MER_GET, ..._AT           read a number or pointer
 *   MER_GET_OUTSIDE           the same outside of a function's body, in the length of a parameter, where no
 *                             statement may stand: bits is computed twice
 *   MER_PUT, ..._AT           write one; the value of the macro is the value written
 *   MER_GET_ELEM_AT           read an element of a static array, for code without optimisation; elem is
 *                             `(a, n, size ...)', the arguments of mer_elem_c or _b (abi.h), and `how' the
 *                             last letter of that function
 *   MER_UPDATE, ..._AT        read a value, mer_old_, and write an expression of it; the value of the macro
 *   MER_UPDATE_POST, ..._AT   is the value written, of ..._POST mer_old_
 *   MER_GET_OBJECT            read, and write, a struct, union or vector
 *   MER_PUT_OBJECT
 *   MER_CHANGE_PART           change a part of such an object, *mer_o_, by an expression; has its value
 *   MER_GET_FIELD, _PUT_, _UPDATE_ ...   bit-field f of the struct `p path`: `width` bits from bit `bit` on
 *   MER_OPERAND               an operand of `asm': declares a pointer `name' to the object, or to a copy if
 *                             the object is remote, which is read first if `reads' is 1; after the statement
 *                             MER_OPERAND_DONE writes the copy back
 *   MER_REF                   the object itself, if it is known not to be remote */
#define MER_REF(T, bits) (*(__typeof__(T) *)mer_at(bits))
/* The first object of this thread's part of the static array at native address a. */
#define MER_OWN(T, a) (*(__typeof__(T) *)(MER_VIEW_BASE + (mer_u64)MER_MYTHREAD * MER_SPAN + (mer_u64)(a)))
/* MER_OWN for an array in an image's memory, by its name (abi.h). */
#define MER_OWN_NAMED(T, image, object) (*(__typeof__(T) *)MER_OWN_PART(image, object))

#define MER_GET(T, bits) MER_GET_AT(T, T, bits, [0])
#define MER_PUT(T, bits, ...) MER_PUT_AT(T, T, bits, [0], __VA_ARGS__)
#define MER_UPDATE(T, bits, ...) MER_UPDATE_(T, T, bits, [0], mer_new_, __VA_ARGS__)
#define MER_UPDATE_AT(T, S, bits, path, ...) MER_UPDATE_(T, S, bits, path, mer_new_, __VA_ARGS__)
#define MER_UPDATE_POST(T, bits, ...) MER_UPDATE_(T, T, bits, [0], mer_old_, __VA_ARGS__)
#define MER_UPDATE_POST_AT(T, S, bits, path, ...) MER_UPDATE_(T, S, bits, path, mer_old_, __VA_ARGS__)

/* Accesses by calls (rma/out_of_line.c), in code without optimisation and in loops that run rarely: C
 * compilers take a fifth of the time.
 *
 * mer_read returns the address at which n bytes at bits can be read: the object's, or `copy' if it is remote.
 * mer_write returns the address to which the caller writes the n bytes `value': the object's, or `value' if
 * the object is remote, to which mer_write has then written them.  So the access itself belongs to the
 * program's line, and the message for a fault names that line. */
#if defined(MER_CALLS) || defined(MER_SMALL_HERE)
#define MER_SELDOM
#else
#define MER_SELDOM __attribute__((cold))
#endif
void *mer_read(mer_u64 bits, void *copy, mer_size n) MER_SELDOM;
void *mer_write(mer_u64 bits, void *value, mer_size n) MER_SELDOM;
/* mer_elem_c and _b (abi.h) by a call, for loops that run rarely. */
mer_ptr mer_seldom_elem_c(mer_u64 a, mer_i64 n, mer_u64 size) __attribute__((const)) MER_SELDOM;
mer_pptr mer_seldom_elem_b(mer_u64 a, mer_i64 n, mer_u64 size, mer_u64 block)
    __attribute__((const)) MER_SELDOM;
/* mer_read for element n of a static array, with the arguments of mer_elem_c and _b: one call in place of
 * two. */
void *mer_read_elem_c(mer_u64 a, mer_i64 n, mer_u64 size, void *copy, mer_size bytes) MER_SELDOM;
void *mer_read_elem_b(mer_u64 a, mer_i64 n, mer_u64 size, mer_u64 block, void *copy,
                      mer_size bytes) MER_SELDOM;
#define MER_BITS_OF_(S, bits, ...) ((bits) + MER_OFFSET_(S, __VA_ARGS__))
#define MER_OFFSET_(S, ...) ((mer_u64) & (((__typeof__(S) *)MER_VIEW_BASE)__VA_ARGS__) - MER_VIEW_BASE)
/* Without variables: a block within a line would be a second location of the line for breakpoints. */
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
/* Accesses to numbers in loops that run rarely, wholly by calls, since the time to compile such a loop grows
 * with its length.  how: the functions for the type: double, float, or word for integers of at most 8
 * bytes. */
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
/* n is 1, 2, 4 or 8.  A read returns the value in the lowest n bytes of a word, the others 0; a write takes
 * the lowest n bytes of `value'. */
mer_u64 mer_seldom_get_word(mer_u64 bits, mer_size n) MER_SELDOM;
void mer_seldom_put_double(mer_u64 bits, double value) MER_SELDOM;
void mer_seldom_put_float(mer_u64 bits, float value) MER_SELDOM;
void mer_seldom_put_word(mer_u64 bits, mer_u64 value, mer_size n) MER_SELDOM;
#ifdef MER_CALLS
#define MER_GET_AT MER_CALL_GET_AT
/* With as few variables as possible: without optimisation each is a store and a load.  There is no type-based
 * alias analysis then, for which the other form has mer_at_.  The object's address is computed before the
 * value, as with optimisation: C leaves the order open, and programs come to rely on one. */
#define MER_PUT_AT(T, S, bits, path, ...)                                                                    \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = MER_BITS_OF_(S, bits, path);                                                        \
        __typeof__(T) mer_v_ = (__VA_ARGS__);                                                                \
        *(__typeof__(T) *)mer_write(mer_b_, (void *)&mer_v_, sizeof(T)) = mer_v_;                            \
        mer_v_;                                                                                              \
    })
/* The offset of the path is added to the array's address, which moves the element's address as much. */
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
/* The pointer through which an object is written (sanitize.h). */
#ifndef MER_SANITIZE
#define MER_WRITTEN(at) (at)
#endif
/* MER_READ_ sets v to *mer_at_, in the object at mer_b_; MER_WRITE_ below sets *mer_at_ to v. */
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
        *MER_WRITTEN(mer_at_) = v;                                                                           \
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

/* The value of a bit-field of type T from the lowest bits of a word. */
#define MER_FIELD_VALUE_(T, word, width)                                                                     \
    ((T)-1 < 0 ? (T)((mer_i64)((word) << (64 - (width))) >> (64 - (width)))                                  \
               : (T)((word) << (64 - (width)) >> (64 - (width))))
/* The first bit of field f of *mer_at_, if only the C compiler knows its layout: the lowest bit that, set
 * alone, makes the field non-zero.  For the argument `bit' of the macros below, evaluated if the struct is
 * remote. */
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

/* Strict accesses (UPC B.3): every earlier access of this thread is complete before a strict access, and
 * every later one starts after it.  x86 needs the store-load fence on the side on which a load may overtake a
 * store: before a strict read and after a strict write; partner of each: the same fences of other threads.
 * get: a relaxed read; put: a relaxed write of mer_s_; update: any of the above. */
MER_SMALL void mer_complete(void) {
    if (MER_HAS_REMOTE)
        mer_remote_fence();
}
/* A loop that waits for a strict object, `for (;;) if (flag) break;', or by upc_fence, has a fence in each
 * iteration.  If there are more threads than cores, the thread that will change the object may need this
 * core, so each 4096th fence yields it.  This is rare enough to cost nothing in programs that do not wait.
 * (spin.c has the loops with an empty body.) */
extern unsigned mer_fences;
void mer_fence_turn(void);
/* Relaxed: POSIX threads that have fences at the same time may count one for two. */
MER_INLINE void mer_fence_counted(void) {
    unsigned fences = __atomic_load_n(&mer_fences, __ATOMIC_RELAXED) + 1;
    __atomic_store_n(&mer_fences, fences, __ATOMIC_RELAXED);
    if (__builtin_expect(fences % 4096 == 0, 0))
        mer_fence_turn();
}
#if defined(__x86_64__)
/* The instruction that gcc has for the fence below; clang uses mfence, which costs eight times as much. */
#define mer_fence()                                                                                          \
    (mer_complete(), mer_fence_counted(), __extension__({                                                    \
         __asm__ __volatile__("lock; orq $0, (%%rsp)" ::: "memory", "cc");                                   \
     }))
#else
#define mer_fence() (mer_complete(), mer_fence_counted(), __atomic_thread_fence(__ATOMIC_SEQ_CST))
#endif
/* -fsanitize=pgas observes fences and strict accesses (sanitize.h). */
#ifdef MER_SANITIZE
static __inline__ __attribute__((always_inline, unused)) void mer_fence_observed(void) {
    mer_san_fence();
    mer_fence();
}
#undef mer_fence
#define mer_fence() mer_fence_observed()
#define MER_STRICT_BEGIN mer_san_strict_begin()
#define MER_STRICT_END mer_san_strict_end()
#else
#define MER_STRICT_BEGIN ((void)0)
#define MER_STRICT_END ((void)0)
#endif
#define MER_STRICT_GET(T, ...)                                                                               \
    __extension__({                                                                                          \
        mer_fence();                                                                                         \
        MER_STRICT_BEGIN;                                                                                    \
        __typeof__(T) mer_v_ = (__VA_ARGS__);                                                                \
        MER_STRICT_END;                                                                                      \
        __atomic_thread_fence(__ATOMIC_ACQUIRE);                                                             \
        mer_v_;                                                                                              \
    })
#define MER_STRICT_PUT(T, put, ...)                                                                          \
    __extension__({                                                                                          \
        __typeof__(T) mer_s_ = (__VA_ARGS__);                                                                \
        mer_complete();                                                                                      \
        __atomic_thread_fence(__ATOMIC_RELEASE);                                                             \
        MER_STRICT_BEGIN;                                                                                    \
        put;                                                                                                 \
        MER_STRICT_END;                                                                                      \
        mer_fence();                                                                                         \
        mer_s_;                                                                                              \
    })
/* MER_STRICT_PUT for a number or pointer, with the arguments of MER_PUT_AT.  The runtime orders a remote
 * write after the earlier writes, with one wait if all go to one thread. */
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
            MER_STRICT_BEGIN;                                                                                \
            MER_WRITE_(T, mer_s_)                                                                            \
            MER_STRICT_END;                                                                                  \
            mer_fence();                                                                                     \
        }                                                                                                    \
        mer_s_;                                                                                              \
    })
#endif
#define MER_STRICT_UPDATE(T, ...)                                                                            \
    __extension__({                                                                                          \
        mer_fence();                                                                                         \
        MER_STRICT_BEGIN;                                                                                    \
        __typeof__(T) mer_v_ = (__VA_ARGS__);                                                                \
        MER_STRICT_END;                                                                                      \
        mer_fence();                                                                                         \
        mer_v_;                                                                                              \
    })

/* Returns n.  After the call of mer_copy_bounds n is hidden from the C compiler, which would else warn, at a
 * copy to a private object of known size, that more than MER_COPY_MANY bytes overflow it. */
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
    mer_bytes_set(mer_at(to), byte, n);
}
/* Copies to and from memory that may be remote. */
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
#if defined(MER_SANITIZE) && defined(MER_CALLS)
void mer_san_mer_memcpy(mer_u64 to, mer_u64 from, mer_size n);
void mer_san_mer_memget(void *to, mer_u64 from, mer_size n);
void mer_san_mer_memput(mer_u64 to, const void *from, mer_size n);
void mer_san_mer_memset(mer_u64 to, int byte, mer_size n);
#define mer_memcpy mer_san_mer_memcpy
#define mer_memget mer_san_mer_memget
#define mer_memput mer_san_mer_memput
#define mer_memset mer_san_mer_memset
#endif

/* Copies n bytes at bits to `to', and returns `to'. */
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
