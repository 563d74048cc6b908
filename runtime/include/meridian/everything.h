/* Everything addressable: additions to abi.h for Split-C and AC, which a plain C unit may use too.
 *
 * In a program in which any unit includes this header, the statics of the image, its heap (malloc) and the
 * stack of the main program lie in the memory of the job, so that every processor can reach them by plain
 * loads and stores.  UPC programs without such units keep these private.
 *
 * Local addresses are canonical: a static has its native (image) address, which is the same number on every
 * processor; heap and stack have their address in the own view.  Memory outside of the views (the C library's
 * own data, a file that the program maps, thread-local objects) has a global pointer too: its low 48 bits are
 * the raw address, it is marked MER_PRIVATE, and an access goes by active message to the owner, which serves
 * it whenever it waits or polls.
 *
 * The macros below pass a copy of the value to the functions for remote memory: if they took the address of
 * the value itself, the C compiler would store it each time, remote or not.
 *
 * This header includes only abi.h, and has only names with mer_ and MER_.
 */
#ifndef MERIDIAN_EVERYTHING_H
#define MERIDIAN_EVERYTHING_H

#include <meridian/abi/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A unit refers to these symbols, so that the linker includes the files that make everything addressable.
 * The heap has its own symbol: the address sanitizer has another heap, whose memory is then reached by active
 * messages. */
extern const char mer_everything;
#ifndef MER_RUNTIME
static const void *const mer_everything_ref_ __attribute__((used)) = &mer_everything;
#endif
#if defined(__SANITIZE_ADDRESS__)
#define MER_OTHER_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MER_OTHER_HEAP 1
#endif
#endif
#if !defined(MER_OTHER_HEAP) && !defined(MER_RUNTIME)
extern const char mer_everything_heap;
static const void *const mer_everything_heap_ref_ __attribute__((used)) = &mer_everything_heap;
#endif

#undef MER_ELSEWHERE
#define MER_ELSEWHERE(bits) mer_remote_global(bits)

/* The image, including constants and string literals, of which the views hold copies. */
extern char mer_image_start_[] __asm__("__executable_start");
extern char mer_image_end_[] __asm__("_end");

/* Local to global: the processor is this one, or, for another processor's memory in the views, its owner.
 * Compiled code passes the local address as an integer: C compilers warn of a pointer to const to memory that
 * has not been written yet. */
MER_INLINE mer_ptr mer_address_to_global(mer_u64 a) {
    mer_u64 offset = a - MER_VIEW_BASE, me = (mer_u64)MER_MYTHREAD;
    if (a - (mer_u64)mer_image_start_ < (mer_u64)(mer_image_end_ - mer_image_start_))
        return mer_mk(mer_bits(me, a));
    if (offset - me * MER_SPAN < MER_SPAN)
        return mer_mk(a | me << MER_THREAD_SHIFT);
    if (offset < (mer_u64)MER_THREADS * MER_SPAN)
        return mer_mk(a | offset / MER_SPAN << MER_THREAD_SHIFT);
    return mer_mk(a ? MER_PRIVATE | a | me << MER_THREAD_SHIFT : 0);
}
MER_INLINE mer_ptr mer_to_global(const void *p) { return mer_address_to_global((mer_u64)p); }

/* The rare pointers: to memory outside of the views, and to processors that do not exist (host/missing.c). */
int mer_named_proc(mer_u64 bits);
void *mer_local_of_other(mer_ptr g);
mer_ptr mer_moved_other(int proc, mer_ptr g);
mer_ptr mer_missing_at(int proc, mer_u64 a);
MER_INLINE int mer_is_other(mer_u64 bits) {
    return __builtin_expect(bits >= (mer_u64)MER_THREADS << MER_THREAD_SHIFT, 0);
}
MER_INLINE int mer_is_missing(int proc) {
    return __builtin_expect((unsigned)proc >= (unsigned)MER_THREADS, 0);
}

/* The processor of a global pointer. */
MER_INLINE int mer_to_proc(mer_ptr g) {
    return mer_is_other(g.bits) ? mer_named_proc(g.bits) : (int)mer_threadof(g.bits);
}

/* Global to local: drops the processor.  Returns the address at which this processor has the same object. */
MER_INLINE void *mer_to_local(mer_ptr g) {
    mer_u64 a = g.bits & MER_ADDR_MASK, offset = a - MER_VIEW_BASE;
    if (mer_is_other(g.bits))
        return mer_local_of_other(g);
    if (offset >= MER_VIEW_SIZE)
        return (void *)a;
    mer_u64 native = offset - mer_threadof(g.bits) * MER_SPAN;
    return (void *)(native < MER_HEAP_OFFSET ? native
                                             : MER_VIEW_BASE + (mer_u64)MER_MYTHREAD * MER_SPAN + native);
}

/* Moves a global pointer to another processor, at the same local address.  Null stays null. */
MER_INLINE mer_ptr mer_move_to(int proc, mer_ptr g) {
    if (mer_is_missing(proc) || mer_is_other(g.bits))
        return mer_moved_other(proc, g);
    return mer_mk(g.bits ? g.bits + ((mer_u64)proc - mer_threadof(g.bits)) * mer_stride() : 0);
}

/* Returns a pointer to the object that processor proc has at the local address a (Split-C's toglobal).  The
 * usual cases, addresses of this processor's objects, come first.  A processor that does not exist is
 * reported when its memory is accessed. */
MER_INLINE mer_ptr mer_to_global_at(int proc, mer_u64 a) {
    mer_u64 own = a - MER_VIEW_BASE - (mer_u64)MER_MYTHREAD * MER_SPAN;
    if (mer_is_missing(proc))
        return mer_missing_at(proc, a);
    if (a - (mer_u64)mer_image_start_ < (mer_u64)(mer_image_end_ - mer_image_start_))
        return mer_mk(mer_bits((mer_u64)proc, a));
    if (__builtin_expect(own < MER_SPAN, 1))
        return mer_mk(mer_bits((mer_u64)proc, own));
    return mer_move_to(proc, mer_address_to_global(a));
}

/* A global pointer as an integer, the processor in the top 16 bits and a local address in the low 48; and
 * such an integer, which the program may have composed, as a global pointer. */
MER_INLINE mer_u64 mer_to_integer(mer_ptr g) { return g.bits & ~MER_PRIVATE; }
MER_INLINE mer_ptr mer_from_integer(mer_u64 n) {
    return n ? mer_to_global_at((short)(n >> MER_THREAD_SHIFT), n & MER_ADDR_MASK) : mer_mk(0);
}

/* mer_everything_run calls f(argc, argv, envp), the program, on the stack in the own view, and returns its
 * result.  For compiled code, to call splitc_main.
 *
 * A main calls mer_everything_main first.  It returns 1 if it has run that main, f, on that stack, with the
 * result in *status; 0 if the caller runs on that stack already, or has to stay on its own.  If status is
 * null, since main returns none, the first call does not return but ends the program with 0. */
int mer_everything_run(int (*f)(int, char **, char **), int argc, char **argv, char **envp);
int mer_everything_main(int (*f)(int, char **, char **), int *status);

/* ---- access --------------------------------------------------------------------------------------- */

/* Copy n bytes from or to the memory at `bits`, by active message if necessary; blocking.  mer_global_get
 * returns `to`.  A null pointer is a fatal error with a message.  Handlers of active messages may call them
 * for local memory only. */
void *mer_global_get(void *to, mer_u64 bits, mer_size n);
void mer_global_put(mer_u64 bits, const void *from, mer_size n);

/* Read and write an object of type T through a global pointer; the value of MER_GLOBAL_PUT is the value
 * written.  _AT: element `index' of the array into which the pointer points.  The whole array is on one
 * processor, so that in a loop over the elements the C compiler can test once. */
#define MER_GLOBAL_GET_AT(T, bits, index)                                                                    \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        mer_i64 mer_n_ = (index);                                                                            \
        __attribute__((aligned(__alignof__(T)))) char mer_copy_[sizeof(T)];                                  \
        *(__builtin_expect(!mer_remote_global(mer_b_), 1)                                                    \
              ? (__typeof__(T) const *)mer_at(mer_b_) + mer_n_                                               \
              : (__typeof__(T) const *)mer_global_get(mer_copy_, mer_b_ + (mer_u64)mer_n_ * sizeof(T),       \
                                                      sizeof(T)));                                           \
    })
/* An operand of `asm' through a global pointer, like MER_OPERAND (access.h). */
#define MER_GLOBAL_OPERAND(T, bits, index, name, reads)                                                      \
    mer_u64 name##bits_ = (bits), name##offset_ = (mer_u64)(index) * sizeof(T);                              \
    __typeof__(T) *name = (__typeof__(T) *)(mer_u64)((char *)mer_at(name##bits_) + name##offset_);           \
    __typeof__(T) name##copy_;                                                                               \
    name##bits_ = !mer_remote_global(name##bits_) ? 0 : name##bits_ + name##offset_;                         \
    MER_OPERAND_COPY_(mer_global_get, name, reads)
#define MER_GLOBAL_PUT_AT(T, bits, index, ...)                                                               \
    MER_GLOBAL_WRITE_(mer_global_put, (void)0, T, bits, index, __VA_ARGS__)
/* Every kind of write: if the memory is local, a store, and `local' after it; else remote(bits, from, n). */
#define MER_GLOBAL_WRITE_(remote, local, T, bits, index, ...)                                                \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        mer_i64 mer_n_ = (index);                                                                            \
        __typeof__(T) mer_v_ = (__VA_ARGS__);                                                                \
        if (__builtin_expect(!mer_remote_global(mer_b_), 1)) {                                               \
            ((__typeof__(T) *)mer_at(mer_b_))[mer_n_] = mer_v_;                                              \
            local;                                                                                           \
        } else {                                                                                             \
            __typeof__(T) mer_w_ = mer_v_;                                                                   \
            remote(mer_b_ + (mer_u64)mer_n_ * sizeof(T), (const void *)&mer_w_, sizeof(T));                  \
        }                                                                                                    \
        mer_v_;                                                                                              \
    })
#define MER_GLOBAL_GET(T, bits) MER_GLOBAL_GET_AT(T, bits, 0)
#define MER_GLOBAL_PUT(T, bits, ...) MER_GLOBAL_PUT_AT(T, bits, 0, __VA_ARGS__)

/* ---- stores (:-) ---------------------------------------------------------------------------------- */

/* The number of bytes that this thread has stored to each processor, see dialect/split_c/store.c.  Only
 * programs that call store_sync, which is linked with mer_counts_stores, keep these counts. */
#ifndef MER_RUNTIME
extern mer_u64 *mer_sent;
#else
extern mer_u64 *mer_sent __attribute__((weak)); /* files that serve UPC programs too must not need it */
#endif
extern const char mer_counts_stores __attribute__((weak));

/* Counts n bytes as stored to proc.  Release, partner: the acquire in store_sync: a thread that has counted
 * the bytes sees them. */
MER_INLINE void mer_store_count(int proc, mer_size n) {
    if (&mer_counts_stores)
        __atomic_store_n(&mer_sent[proc], mer_sent[proc] + n, __ATOMIC_RELEASE);
}

/* Stores that a loop counts by itself (opt/src/owned/store_counting.rs): each of up to MER_STORE_FIELDS
 * receivers has a field of a word, which is added to the counts before a field is full, and at the end of the
 * scope.  A count may come later than its bytes; the release is that of mer_store_count. */
#define MER_STORE_FIELDS 8
#define MER_STORE_FULL 255 /* stores that a field of 8 bits holds */
struct mer_stores {
    mer_u64 fields;
    unsigned left; /* stores until a field may be full */
    unsigned size; /* bytes of each store */
};
MER_INLINE void mer_stores_add(mer_u64 fields, unsigned size) {
    int proc = 0;
    for (; fields; proc++, fields >>= 8)
        if (fields & MER_STORE_FULL)
            mer_store_count(proc, (fields & MER_STORE_FULL) * size);
}
MER_INLINE void mer_stores_end(struct mer_stores *s) { mer_stores_add(s->fields, s->size); }
#define MER_STORES_SCOPE(name, size)                                                                         \
    struct mer_stores name __attribute__((cleanup(mer_stores_end))) = {0, MER_STORE_FULL, size}

/* Counts n bytes for proc in s if it has a field for proc, else at once.  s is null if no loop counts. */
MER_INLINE void mer_stores_count(struct mer_stores *s, int proc, mer_size n) {
    if (!&mer_counts_stores)
        return;
    if (MER_THREADS > MER_STORE_FIELDS || !s) {
        mer_store_count(proc, n);
        return;
    }
    s->fields += 1ULL << (8 * proc);
    if (__builtin_expect(--s->left == 0, 0)) {
        mer_stores_add(s->fields, s->size);
        s->fields = 0;
        s->left = MER_STORE_FULL;
    }
}

/* Stores n bytes and counts them on the receiver, for remote memory. */
void mer_global_store(mer_u64 bits, const void *from, mer_size n);

/* stores: the counter of the enclosing loop, or null. */
#define MER_STORE_IN(stores, T, bits, index, ...)                                                            \
    MER_GLOBAL_WRITE_(mer_global_store, mer_stores_count(stores, (int)mer_threadof(mer_b_), sizeof(T)), T,   \
                      bits, index, __VA_ARGS__)
#define MER_STORE_UNCOUNTED(T, bits, index, ...)                                                             \
    MER_GLOBAL_WRITE_(mer_global_store, (void)0, T, bits, index, __VA_ARGS__)
#define MER_STORE(T, bits, ...) MER_STORE_IN((struct mer_stores *)0, T, bits, 0, __VA_ARGS__)

/* ---- split-phase (:=) ----------------------------------------------------------------------------- */

/* The number of gets and puts by active message that are not acknowledged yet; sync() waits for 0.  Local
 * ones complete at once. */
extern int mer_outstanding;
void mer_global_get_start(void *to, mer_u64 bits, mer_size n);
void mer_global_put_start(mer_u64 bits, const void *from, mer_size n);

/* *to := *bits and *bits := value; `to` is a local address, T without const. */
#define MER_SPLIT_GET_AT(T, to, bits, index)                                                                 \
    __extension__({                                                                                          \
        mer_u64 mer_b_ = (bits);                                                                             \
        mer_i64 mer_n_ = (index);                                                                            \
        __typeof__(T) *mer_t_ = (to);                                                                        \
        if (__builtin_expect(!mer_remote_global(mer_b_), 1))                                                 \
            *mer_t_ = ((__typeof__(T) const *)mer_at(mer_b_))[mer_n_];                                       \
        else                                                                                                 \
            mer_global_get_start((void *)mer_t_, mer_b_ + (mer_u64)mer_n_ * sizeof(T), sizeof(T));           \
    })
#define MER_SPLIT_PUT_AT(T, bits, index, ...)                                                                \
    ((void)MER_GLOBAL_WRITE_(mer_global_put_start, (void)0, T, bits, index, __VA_ARGS__))
#define MER_SPLIT_GET(T, to, bits) MER_SPLIT_GET_AT(T, to, bits, 0)
#define MER_SPLIT_PUT(T, bits, ...) MER_SPLIT_PUT_AT(T, bits, 0, __VA_ARGS__)

/* ---- automatic spread and dist objects ------------------------------------------------------------ */

/* For compiled code, collective.  mer_automatic allocates memory for `count' units of `size' bytes, unit u on
 * processor u mod PROCS, and returns its native address.  mer_automatic_free takes the variable that holds
 * this address.  mer_automatic_init copies the `bytes' bytes at `image' to the first of the units, and clears
 * the rest; it is complete on all processors when it returns. */
mer_u64 mer_automatic(mer_u64 *variable, mer_i64 count, mer_size size, const char *where);
void mer_automatic_free(mer_u64 *variable);
void mer_automatic_init(mer_u64 native, mer_i64 count, mer_size size, const void *image, mer_size bytes);

/* ---- bulk transfers -------------------------------------------------------------------------------- */

/* Split-C's bulk functions.  If the other side is local memory of another processor, they are a move that the
 * C compiler may expand.  The library (dialect/split_c/access.c) does all else, including transfers within
 * the caller's own memory, which may overlap under two addresses. */
void mer_splitc_bulk_read(void *dst, mer_ptr src, mer_size n);
void mer_splitc_bulk_write(mer_ptr dst, const void *src, mer_size n);
void mer_splitc_bulk_get(void *dst, mer_ptr src, mer_size n);
void mer_splitc_bulk_put(mer_ptr dst, const void *src, mer_size n);
void mer_splitc_bulk_store(mer_ptr dst, const void *src, mer_size n);

MER_INLINE int mer_bulk_direct(mer_u64 bits) {
    return __builtin_expect(!mer_remote_global(bits) && !mer_mine_ptr(bits), 1);
}
MER_INLINE void mer_bulk_read(void *dst, mer_u64 src, mer_size n) {
    if (mer_bulk_direct(src))
        mer_bytes_move(dst, mer_at(src), n);
    else
        mer_splitc_bulk_read(dst, mer_mk(src), n);
}
MER_INLINE void mer_bulk_get(void *dst, mer_u64 src, mer_size n) {
    if (mer_bulk_direct(src))
        mer_bytes_move(dst, mer_at(src), n);
    else
        mer_splitc_bulk_get(dst, mer_mk(src), n);
}
MER_INLINE void mer_bulk_write(mer_u64 dst, const void *src, mer_size n) {
    if (mer_bulk_direct(dst))
        mer_bytes_move(mer_at(dst), src, n);
    else
        mer_splitc_bulk_write(mer_mk(dst), src, n);
}
MER_INLINE void mer_bulk_put(mer_u64 dst, const void *src, mer_size n) {
    if (mer_bulk_direct(dst))
        mer_bytes_move(mer_at(dst), src, n);
    else
        mer_splitc_bulk_put(mer_mk(dst), src, n);
}
MER_INLINE void mer_bulk_store(mer_u64 dst, const void *src, mer_size n) {
    if (mer_bulk_direct(dst)) {
        mer_bytes_move(mer_at(dst), src, n);
        mer_store_count((int)mer_threadof(dst), n);
    } else {
        mer_splitc_bulk_store(mer_mk(dst), src, n);
    }
}

#ifdef __cplusplus
}
#endif

#endif
