/* The interface between compiled code and the runtime: the form of a pointer-to-shared, its arithmetic,
 * access to shared memory, and the records that a compiled file leaves for start-up.
 *
 * Every file that `meridian cc` writes includes this header first; the runtime includes it too. It must
 * compile after any user program, so it includes only its own parts, and every name begins with mer_ or MER_.
 *
 * The address space of a host.  Each of the THREADS processes maps one file of shared memory at
 * MER_VIEW_BASE, at the same place in every process.  Thread t owns the span
 *
 *     [MER_VIEW_BASE + t * span, MER_VIEW_BASE + (t + 1) * span)
 *
 * and an object that its owner's image holds at the native address a (a static shared object) lies at
 * MER_VIEW_BASE + t * span + a.  The shared heap of a thread fills its span above MER_HEAP_OFFSET.
 *
 * A pointer-to-shared without phase is 8 bytes: the thread in the top 16 bits, and in the low 48 the address
 * of the object in the view.  Because the views have the same addresses in every process, a dereference is
 * one `and` and the load: no table, no branch, no call.  Stepping to the next thread adds mer_stride() = (1
 * << 48) + span.  A pointer with phase is such a pointer followed by the phase.
 */
#ifndef MERIDIAN_ABI_H
#define MERIDIAN_ABI_H

#include "contract.h" /* the form of pointers and spans, in numbers */

typedef __UINT64_TYPE__ mer_u64;
typedef __INT64_TYPE__ mer_i64;
typedef __SIZE_TYPE__ mer_size;

/* Pointer-to-shared without phase: block size 1 (cyclic) or indefinite.  Null is all zero. */
typedef struct mer_ptr {
    mer_u64 bits;
} mer_ptr;

/* Pointer-to-shared with phase: definite block size over 1, and shared void *.  Null is all zero. */
typedef struct mer_pptr {
    mer_u64 bits;
    mer_u64 phase;
} mer_pptr;

/* The job, as one thread sees it.  Start-up writes it once, before any user code; compiled code declares it
 * const, so that the C compiler may keep its fields in registers across calls. */
struct mer_job {
    int mythread;
    int threads;
    mer_u64 span;  /* bytes of address space for each thread */
    mer_u64 magic; /* reciprocal of threads, see mer_divt */
    unsigned magic_shift;
    int has_remote; /* 1: some threads' memory is remote, see mer_remote */
    int here_first; /* threads here_first ... here_first + here - 1 live on this host */
    int here;
};
#ifndef MER_RUNTIME
extern const struct mer_job mer_job;
#else
extern struct mer_job mer_job;
#endif

/* With GNU89's meaning of `inline' (Split-C), programs have `extern inline' functions; compilers warn of
 * static functions that these call. */
#ifdef __GNUC_GNU_INLINE__
#define MER_INLINE extern __inline__ __attribute__((always_inline, gnu_inline, unused))
#else
#define MER_INLINE static __inline__ __attribute__((always_inline, unused))
#endif

/* MER_SMALL: functions that optimised code has in line, and that code without optimisation calls in the
 * runtime (MER_CALLS; rma/out_of_line.c, which defines MER_SMALL_HERE).  So unoptimised code is short and
 * quick to compile, and debuggers step over these functions, which have no lines. */
#if defined(MER_SMALL_HERE)
#define MER_SMALL
#elif defined(__OPTIMIZE__) || defined(MER_RUNTIME)
#define MER_SMALL MER_INLINE
#else
#define MER_SMALL extern __inline__ __attribute__((gnu_inline, unused))
#define MER_CALLS
#endif

/* Before a loop: unrolls it, so that a few iterations share a test of the condition.  clang does so by
 * itself. */
#if defined(__clang__) || defined(__OPTIMIZE_SIZE__) || !defined(__OPTIMIZE__)
#define MER_UNROLLED
#else
#define MER_UNROLLED _Pragma("GCC unroll 4")
#endif

#ifdef MER_STATIC_THREADS
#define MER_THREADS MER_STATIC_THREADS
#define MER_CEIL_POW2_(n) ((n) <= 1 ? 1ULL : 1ULL << (64 - __builtin_clzll((mer_u64)((n) > 1 ? (n)-1 : 1))))
#define MER_SPAN (MER_VIEW_SIZE / MER_CEIL_POW2_(MER_STATIC_THREADS) - MER_SPAN_SKEW)
#else
#define MER_THREADS (mer_job.threads)
#define MER_SPAN (mer_job.span)
#endif
#define MER_MYTHREAD (mer_job.mythread)

/* A global pointer of Split-C or AC to memory outside of the views, private to its thread's process, has this
 * bit; its low 48 bits are the raw address there (everything.h). */
#define MER_PRIVATE (1ULL << 63)

/* Bits below this limit point to objects that this process may access by plain loads and stores: objects of
 * all threads of the job, but neither MER_PRIVATE ones nor pointers to threads that do not exist.  The limit
 * is 0 with MERIDIAN_REFERENCE=1, so that the memory of other threads is reached by active message, and if
 * the job spans hosts, so that mer_remote_global compares with the threads of this host.  Constant after
 * start-up. */
#ifndef MER_RUNTIME
extern const mer_u64 mer_local_limit;
#else
extern mer_u64 mer_local_limit;
#endif

/* Returns non-zero if the memory of a global pointer is remote, so that plain loads and stores cannot access
 * it.  The local case is one comparison, since loops test each access.  (Null counts as local: the access to
 * address 0 is a fault.)  mer_remote is the test for a pointer-to-shared, whose memory is never private, and
 * MER_HAS_REMOTE the test for the job (access.h). */
MER_SMALL int mer_remote_global(mer_u64 bits) {
    return __builtin_expect(bits >= mer_local_limit, 0) &&
           !(mer_job.has_remote && bits - ((mer_u64)mer_job.here_first << MER_THREAD_SHIFT) <
                                       (mer_u64)mer_job.here << MER_THREAD_SHIFT);
}

/* Single expressions are macros: C compilers take tens of microseconds for each call that they expand, and an
 * access has many. */
#define mer_stride() ((1ULL << MER_THREAD_SHIFT) + MER_SPAN)

/* ---- division by THREADS ---------------------------------------------------------------------- */

/* n / THREADS for 0 <= n < 2^63.  Static THREADS: the C compiler's own constant division.  Dynamic: with
 * l = ceil(log2 T) and magic = ceil(2^(63+l) / T), which lies in [2^63, 2^64), the quotient is
 * high64(2n * magic) >> l; the error n * (magic*T - 2^(63+l)) < n * 2^l stays under 2^(63+l).
 * One multiplication instead of a division: the aim is at most 1.3 times the time with static THREADS.  For a
 * power of two, the usual case, magic is 2^63 and a shift is enough; as mer_job is constant, gcc -O3 takes
 * the branch out of loops. */
/* In one branch of a condition, keeps the C compiler from computing both branches and selecting. */
#define MER_STAY_A_BRANCH(value) __asm__("" : "+r"(value))
#ifdef MER_STATIC_THREADS
#define MER_POW2_THREADS ((MER_STATIC_THREADS & (MER_STATIC_THREADS - 1)) == 0)
#define MER_DEALT(size) ((size) % MER_STATIC_THREADS == 0) /* known to be a multiple of THREADS */
#else
#define MER_POW2_THREADS __builtin_expect(mer_job.magic == 1ULL << 63, 1)
#define MER_DEALT(size) 0
#endif
MER_SMALL mer_u64 mer_divt(mer_u64 n) {
#ifdef MER_STATIC_THREADS
    return n / (mer_u64)MER_STATIC_THREADS;
#else
    if (MER_POW2_THREADS)
        return n >> mer_job.magic_shift;
    MER_STAY_A_BRANCH(n); /* else gcc -O2 computes both quotients and selects */
    return (mer_u64)(((unsigned __int128)(n << 1) * mer_job.magic) >> 64) >> mer_job.magic_shift;
#endif
}

/* floor(s / THREADS) for any s (6.4.2: div rounds towards minus infinity). */
MER_SMALL mer_i64 mer_floordivt(mer_i64 s) {
    if (MER_POW2_THREADS)
#ifdef MER_STATIC_THREADS
        return s >> __builtin_ctzll(MER_STATIC_THREADS);
#else
        return s >> mer_job.magic_shift;
#endif
    return s >= 0 ? (mer_i64)mer_divt((mer_u64)s) : ~(mer_i64)mer_divt((mer_u64)~s);
}

/* floor(s / b) for a block size b > 0. */
MER_SMALL mer_i64 mer_floordiv(mer_i64 s, mer_u64 b) {
    return s >= 0 ? (mer_i64)((mer_u64)s / b) : ~(mer_i64)((mer_u64)~s / b);
}

/* ---- parts of a pointer ------------------------------------------------------------------------ */

#define mer_threadof(bits) ((mer_u64)(bits) >> MER_THREAD_SHIFT)
/* The thread of a pointer that may be MER_PRIVATE. */
#define mer_procof(bits) (((mer_u64)(bits) & ~MER_PRIVATE) >> MER_THREAD_SHIFT)

/* The object's address in this process.  Valid for every thread of the host.  Null gives a null pointer. */
#define mer_at(bits) ((void *)((mer_u64)(bits)&MER_ADDR_MASK))

/* The owner's native address: the same number for the same object of a symmetric array on any thread. */
MER_SMALL mer_u64 mer_native(mer_u64 bits) {
    return bits ? bits - mer_threadof(bits) * mer_stride() - MER_VIEW_BASE : 0;
}

/* The bits of native address a of thread t. */
#define mer_bits(t, a) ((mer_u64)(a) + MER_VIEW_BASE + (mer_u64)(t)*mer_stride())

/* Two pointers to the same object are equal whatever their phases (6.4.2). */
MER_SMALL int mer_same(mer_u64 p, mer_u64 q) { return p == q; }

#define mer_mk(bits) (__extension__(mer_ptr){(mer_u64)(bits)})
#define mer_mkp(bits, phase) (__extension__(mer_pptr){(mer_u64)(bits), (mer_u64)(phase)})

/* ---- conversions -------------------------------------------------------------------------------- */

#define mer_widen(p) mer_mkp((p).bits, 0) /* phaseless -> phased */
#define mer_narrow(p) mer_mk((p).bits)    /* phased -> phaseless */
#define mer_phase0(p) mer_mkp((p).bits, 0)
/* A cast between phased pointers keeps the phase only if type size and block size agree (6.4.3). */
MER_SMALL mer_pptr mer_rephase(mer_pptr p, int same) { return mer_mkp(p.bits, same ? p.phase : 0); }

/* The offset of a static shared object in each thread's span.  In code for a fixed address this is the
 * object's native address, a constant.  Position-independent code is loaded elsewhere in each process: each
 * reference to the object has a word (section mer_sym) that start-up fills in, which costs a load. */
#ifdef __PIC__
#define MER_SYM(object)                                                                                      \
    (__extension__({                                                                                         \
        static mer_u64 mer_sym_ MER_RECORD("mer_sym") = (mer_u64) & (object);                                \
        mer_sym_;                                                                                            \
    }))
#else
#define MER_SYM(object) ((mer_u64) & (object))
#endif

/* A function, since -fsanitize=undefined knows the size of named objects, but does not look through calls. */
MER_INLINE void *mer_beyond(void *object, mer_u64 by) { return (char *)object + by; }

/* The address at which this host sees the first element of a static shared array.  By the name of the object
 * gcc knows that others do not overlap it; from a sum with a constant, which may be any address, it cannot
 * know. */
#if defined(__PIC__) || defined(__clang__) || defined(MER_CALLS)
#define MER_FIRST(object) mer_at(mer_bits(0, MER_SYM(object)))
#else
#define MER_FIRST(object) mer_beyond((void *)&(object), mer_view_base)
#endif
extern const mer_u64 mer_view_base; /* MER_VIEW_BASE */

/* An address in a static shared array, by the array's name: `at' is the address if the array were at native
 * address 0.  By the name gcc knows that other arrays do not overlap it, and neither tests for overlap before
 * a loop nor compiles the loop twice.  The prefix says which image holds the object: STATIC, this one;
 * DEFINED, this one in a program; NAMED, any.  In position-independent code all objects of this image have
 * the same difference between native address and offset in the span: start-up puts the offset of the first
 * object into mer_origin. */
#ifdef __PIC__
#define MER_SHIFT (mer_origin - (mer_u64)__start_mer_shared)
#else
#define MER_SHIFT 0
#endif
#define MER_NAMED_PART(object, at) ((void *)(MER_SYM(object) + (at)))
#if defined(__clang__) || defined(MER_CALLS)
#define MER_STATIC_PART MER_NAMED_PART
#else
#define MER_STATIC_PART(object, at) mer_beyond((void *)&(object), MER_SHIFT + (at))
#endif
#if defined(__PIC__) && !defined(__PIE__)
#define MER_DEFINED_PART MER_NAMED_PART
#else
#define MER_DEFINED_PART MER_STATIC_PART
#endif
/* The address of this thread's part; and of element n, which may be negative, of a cyclic array. */
#define MER_OWN_PART(image, object)                                                                          \
    MER_##image##_PART(object, mer_view_base + (mer_u64)MER_MYTHREAD * MER_SPAN)
#define MER_NEAR_PART(image, object, n, size)                                                                \
    MER_##image##_PART(object, (mer_u64)mer_near_c(MER_VIEW_BASE, n, size))

/* The sum that n steps from thread to thread add to the bits, if they end in row q (may be negative): each
 * step adds a stride, and each new row adds `row` bytes and subtracts THREADS strides.  As a sum of two
 * products, one in n and one in q, it needs no remainder, and a loop over n computes the first product by
 * addition. */
#define mer_travel(n, q, row)                                                                                \
    ((mer_u64)(n)*mer_stride() + (mer_u64)(q) * ((mer_u64)(row) - (mer_u64)MER_THREADS * mer_stride()))

/* ---- elements of a static shared array: a is its native address, n >= 0 the element's number ----- */

MER_SMALL mer_ptr mer_elem_i(mer_u64 a, mer_i64 n, mer_u64 size) {
    /* All elements are thread 0's.  With this fact C compilers drop the mask of mer_at, which would hide from
     * them that a loop walks along an array, and vectorise the loop. */
    mer_u64 bits = mer_bits(0, a) + (mer_u64)n * size;
    if (bits > MER_ADDR_MASK)
        __builtin_unreachable();
    return mer_mk(bits);
}
MER_SMALL mer_ptr mer_elem_c(mer_u64 a, mer_i64 n, mer_u64 size) {
    return mer_mk(mer_bits(0, a) + mer_travel((mer_u64)n, mer_divt((mer_u64)n), size));
}
MER_SMALL mer_pptr mer_elem_b(mer_u64 a, mer_i64 n, mer_u64 size, mer_u64 block) {
    mer_u64 k = (mer_u64)n / block, ph = (mer_u64)n - k * block;
    return mer_mkp(mer_bits(0, a) + mer_travel(k, mer_divt(k), block * size) + ph * size, ph);
}
/* Elements on this host that are only accessed: addresses in place of the bits.  The sums need no thread
 * numbers, and the C compiler, which is told so, drops the mask of mer_at.  So an element in no order
 * (`table[index[i]]') takes an instruction or two less, and the number of instructions bounds how many such
 * loads a processor has under way.  With a power of two THREADS the owner is a part of n, which leaves one
 * product; and n / THREADS * size is n * (size / THREADS) less the owner's share.  The span is mer_job's, in
 * a register: a product with a constant of this length takes C compilers three instructions in place of
 * one. */
MER_SMALL mer_ptr mer_here_elem_c(mer_u64 a, mer_i64 n, mer_u64 size) {
    mer_u64 threads = (mer_u64)MER_THREADS, owner = (mer_u64)n & (threads - 1), at = MER_VIEW_BASE + a;
    if (!MER_POW2_THREADS)
        at += (mer_u64)n * mer_job.span + mer_divt((mer_u64)n) * (size - threads * mer_job.span);
    else if (MER_DEALT(size))
        at += (mer_u64)n * (size / threads) + owner * (mer_job.span - size / threads);
    else
        at += mer_divt((mer_u64)n) * size + owner * mer_job.span;
    if (at > MER_ADDR_MASK)
        __builtin_unreachable();
    return mer_mk(at);
}
MER_SMALL mer_pptr mer_here_elem_b(mer_u64 a, mer_i64 n, mer_u64 size, mer_u64 block) {
    mer_u64 k = (mer_u64)n / block, ph = (mer_u64)n - k * block;
    mer_ptr first = mer_here_elem_c(a, (mer_i64)k, block * size);
    mer_u64 at = first.bits + ph * size;
    if (at > MER_ADDR_MASK)
        __builtin_unreachable();
    return mer_mkp(at, ph);
}

/* ---- arithmetic (UPC 6.4.2): n elements of size bytes -------------------------------------------- */

/* The arithmetic is unsigned, so that a garbage pointer or index gives a garbage pointer and no undefined
 * behaviour: loops that are read ahead compute with such values (early.h). */

#define mer_add_i(p, n, size) mer_mk((p).bits + (mer_u64)(mer_i64)(n) * (size))
MER_SMALL mer_ptr mer_add_c(mer_ptr p, mer_i64 n, mer_u64 size) {
    mer_i64 q = mer_floordivt((mer_i64)(mer_threadof(p.bits) + (mer_u64)n));
    return mer_mk(p.bits + mer_travel((mer_u64)n, (mer_u64)q, size));
}
/* n whole turns over the threads: p + n * THREADS. */
#define mer_turn_c(p, n, size) mer_add_i(p, n, size)
MER_SMALL mer_pptr mer_add_b(mer_pptr p, mer_i64 n, mer_u64 size, mer_u64 block) {
    mer_i64 s = (mer_i64)(p.phase + (mer_u64)n), k = mer_floordiv(s, block);
    mer_u64 ph = (mer_u64)s - (mer_u64)k * block, within = (ph - p.phase) * size;
    mer_i64 q = mer_floordivt((mer_i64)(mer_threadof(p.bits) + (mer_u64)k));
    return mer_mkp(p.bits + mer_travel((mer_u64)k, (mer_u64)q, block * size) + within, ph);
}
/* A single step, for walks: no division, and one branch that is taken once in THREADS elements or once a
 * block.  It has to stay a branch, which is predicted: a conditional move would add four cycles to the
 * latency of each step. */
MER_SMALL mer_ptr mer_inc_c(mer_ptr p, mer_u64 size) {
    mer_u64 last = (mer_u64)MER_THREADS - 1;
    if (mer_threadof(p.bits) != last)
        return mer_mk(p.bits + mer_stride());
    MER_STAY_A_BRANCH(p.bits);
    return mer_mk(p.bits - last * mer_stride() + size);
}
MER_SMALL mer_ptr mer_dec_c(mer_ptr p, mer_u64 size) {
    mer_u64 last = (mer_u64)MER_THREADS - 1;
    if (mer_threadof(p.bits) != 0)
        return mer_mk(p.bits - mer_stride());
    MER_STAY_A_BRANCH(p.bits);
    return mer_mk(p.bits + last * mer_stride() - size);
}
MER_SMALL mer_pptr mer_inc_b(mer_pptr p, mer_u64 size, mer_u64 block) {
    if (__builtin_expect(p.phase + 1 < block, 1))
        return mer_mkp(p.bits + size, p.phase + 1);
    mer_u64 last = (mer_u64)MER_THREADS - 1, start = p.bits - p.phase * size;
    return mer_mkp(
        mer_threadof(p.bits) == last ? start - last * mer_stride() + block * size : start + mer_stride(), 0);
}
MER_SMALL mer_pptr mer_dec_b(mer_pptr p, mer_u64 size, mer_u64 block) {
    if (__builtin_expect(p.phase > 0, 1))
        return mer_mkp(p.bits - size, p.phase - 1);
    return mer_add_b(p, -1, size, block);
}

/* n / size for n bytes of whole elements, so without a remainder. */
MER_SMALL mer_i64 mer_whole(mer_i64 n, mer_u64 size) {
    return (size & (size - 1)) == 0 ? n >> __builtin_ctzll(size) : n / (mer_i64)size;
}

/* p - q in elements. */
MER_SMALL mer_i64 mer_diff_i(mer_ptr p, mer_ptr q, mer_u64 size) {
    return mer_whole((mer_i64)(p.bits - q.bits), size);
}
/* p - q in threads, and the remaining bytes within a thread. */
MER_SMALL mer_i64 mer_apart(mer_u64 p, mer_u64 q, mer_i64 *bytes) {
    mer_i64 threads = (mer_i64)mer_threadof(p) - (mer_i64)mer_threadof(q);
    *bytes = (mer_i64)(p - q - (mer_u64)threads * mer_stride());
    return threads;
}
MER_SMALL mer_i64 mer_diff_c(mer_ptr p, mer_ptr q, mer_u64 size) {
    mer_i64 bytes, dt = mer_apart(p.bits, q.bits, &bytes);
    return (mer_i64)((mer_u64)mer_whole(bytes, size) * (mer_u64)MER_THREADS + (mer_u64)dt);
}
MER_SMALL mer_i64 mer_diff_b(mer_pptr p, mer_pptr q, mer_u64 size, mer_u64 block) {
    mer_i64 bytes, dt = mer_apart(p.bits, q.bits, &bytes);
    mer_u64 dph = p.phase - q.phase, rows = (mer_u64)mer_whole(bytes, size) - dph;
    return (mer_i64)(rows * (mer_u64)MER_THREADS + (mer_u64)dt * block + dph);
}

/* Less than, equal to or greater than 0 as p - q is; for <, <=, > and >=, without a division.  A row in bytes
 * is under 2^46 and THREADS at most 2^13, so that their product does not overflow. */
#define mer_order_i(p, q) ((mer_i64)((p).bits - (q).bits))
MER_SMALL mer_i64 mer_order_c(mer_ptr p, mer_ptr q) {
    mer_i64 bytes, dt = mer_apart(p.bits, q.bits, &bytes);
    return (mer_i64)((mer_u64)bytes * (mer_u64)MER_THREADS + (mer_u64)dt);
}
MER_SMALL mer_i64 mer_order_b(mer_pptr p, mer_pptr q, mer_u64 size) {
    mer_i64 bytes, dt = mer_apart(p.bits, q.bits, &bytes);
    mer_u64 dph = p.phase - q.phase;
    mer_u64 blocks = ((mer_u64)bytes - dph * size) * (mer_u64)MER_THREADS + (mer_u64)dt;
    return (mer_i64)(blocks ? blocks : dph);
}

#include "bytes.h"    /* copies within a host */
#include "rows.h"     /* words for threads of other hosts */
#include "access.h"   /* loads, stores and copies */
#include "update.h"   /* updates by owners */
#include "early.h"    /* computations ahead of the program */
#include "prefetch.h" /* loops that request in advance */
#include "atomic.h"   /* <upc_atomic.h> in line */
#include "forall.h"   /* upc_forall, and loops over own rows */

/* ---- synchronisation statements --------------------------------------------------------------------- */

/* where: "file:line" of the statement, for messages; valid as long as the program runs. */
void mer_notify(int has_value, int value, const char *where);
void mer_wait(int has_value, int value, const char *where);
void mer_barrier(int has_value, int value, const char *where);

/* The body of a loop that waits for shared memory to change; state: all zero before the loop. */
struct mer_spin {
    mer_u64 state[8];
};
void mer_spin(struct mer_spin *state);

/* ---- records of a compiled file for start-up ----------------------------------------------------------- */

/* A static shared object is the part that one thread owns, in section mer_shared, zero at start. */
#if defined(__clang__)
#define MER_SHARED_BEGIN _Pragma("clang section bss=\"mer_shared\"")
#define MER_SHARED_END _Pragma("clang section bss=\"\"")
#define MER_SHARED_DATA __attribute__((aligned(64), used))
#else
#define MER_SHARED_BEGIN
#define MER_SHARED_END
/* The assembler's comment sign hides the section type that gcc adds: the section takes no file space. */
#define MER_SHARED_DATA __attribute__((aligned(64), used, section("mer_shared,\"aw\",@nobits#")))
#endif

#define MER_RECORD(name) __attribute__((used, aligned(8), section(name)))

/* Layout codes of block sizes in the records: 0 indefinite, else the block size. */

/* A record of each object file. */
struct mer_unit {
    unsigned contract;
    int static_threads; /* 0: dynamic; MER_ANY_THREADS: the file is for programs of all kinds */
    const char *file;
};

/* "Store into the private object at `where` a pointer to element n + each * THREADS of the static shared
 * array at `base`, whose elements have `size` bytes and block size `block`, then add `offset` bytes": static
 * initialisers of private pointers-to-shared.  wide is 1 if where is a mer_pptr, 2 if its phase is 0 after a
 * cast. */
struct mer_init_ptr {
    void *where;
    const void *base;
    mer_i64 n;
    mer_u64 size, block, offset;
    mer_u64 wide;
    mer_i64 each;
};

/* "The shared object `name' at `base` starts as the bytes at `image`": n elements of size bytes, by block.
 * If row is not 0, the image consists of rows of `row' elements; a row of the object has `each' for every
 * thread. */
struct mer_init_data {
    const void *base;
    const void *image;
    mer_u64 n, size, block, row, each;
    const char *name;
};

/* A static shared object too large for the image: start-up gives it `size` bytes of every thread's span
 * and writes its native address to `native`. */
struct mer_big {
    mer_u64 native;
    mer_u64 size;
};

/* "The size of `object' is the result of `bytes'", which depends only on THREADS. */
struct mer_sized {
    struct mer_big *object;
    mer_u64 (*bytes)(void);
};

/* Bytes of a thread's part of `count' units of `size' bytes, distributed cyclically. */
MER_SMALL mer_u64 mer_part_bytes(mer_i64 count, mer_size size) {
    return count > 0 ? ((mer_u64)count + (mer_u64)MER_THREADS - 1) / (mer_u64)MER_THREADS * size : 0;
}

/* An image, which is the program or a shared library, as start-up needs it: the bounds of its sections.  Only
 * start-up uses the last members. */
struct mer_image {
    char *parts, *parts_end; /* of static shared objects; `shared` is a word of UPC, which reads this too */
    const struct mer_unit *unit, *unit_end;
    const struct mer_init_ptr *init_ptr, *init_ptr_end;
    const struct mer_init_data *init_data, *init_data_end;
    struct mer_big *big, *big_end;
    const struct mer_sized *sized, *sized_end;
    mer_u64 *sym, *sym_end;
    mer_u64 bias; /* native address less MER_SYM */
    struct mer_image *next;
    int joined;
};
#define MER_SECTION_(type, name)                                                                             \
    extern type __start_mer_##name[] __attribute__((weak, visibility("hidden")));                            \
    extern type __stop_mer_##name[] __attribute__((weak, visibility("hidden")))
#define MER_IMAGE_SECTIONS                                                                                   \
    MER_SECTION_(char, shared);                                                                              \
    MER_SECTION_(const struct mer_unit, unit);                                                               \
    MER_SECTION_(const struct mer_init_ptr, init_ptr);                                                       \
    MER_SECTION_(const struct mer_init_data, init_data);                                                     \
    MER_SECTION_(struct mer_big, big);                                                                       \
    MER_SECTION_(const struct mer_sized, sized);                                                             \
    MER_SECTION_(mer_u64, sym)
#define MER_BOUNDS_(name) __start_mer_##name, __stop_mer_##name
#define MER_IMAGE_BOUNDS                                                                                     \
    {                                                                                                        \
        MER_BOUNDS_(shared), MER_BOUNDS_(unit), MER_BOUNDS_(init_ptr), MER_BOUNDS_(init_data),               \
            MER_BOUNDS_(big), MER_BOUNDS_(sized), MER_BOUNDS_(sym), 0, 0, 0                                  \
    }

/* Called when the image is loaded: start-up, or this call if start-up is over, gives its objects their
 * offsets and values. */
void mer_image_join(struct mer_image *image);

/* Each unit of position-independent code calls mer_image_join for its image, whose bounds are hidden
 * symbols. */
#ifdef __PIC__
#define MER_JOIN_                                                                                            \
    MER_IMAGE_SECTIONS;                                                                                      \
    __attribute__((weak, visibility("hidden"), aligned(8), section("mer_sym")))                              \
    mer_u64 mer_origin_ = (mer_u64)__start_mer_shared;                                                       \
    extern const mer_u64 mer_origin __asm__("mer_origin_") __attribute__((visibility("hidden")));            \
    __attribute__((weak, visibility("hidden"))) struct mer_image mer_image_ = MER_IMAGE_BOUNDS;              \
    void mer_image_join_(void);                                                                              \
    __attribute__((weak, visibility("hidden"), constructor)) void mer_image_join_(void) {                    \
        mer_image_join(&mer_image_);                                                                         \
    }
#else
#define MER_JOIN_
#endif

/* The version of the contract (contract.h), as a number and as a symbol.  Each unit refers to the symbol, so
 * that linking it with the runtime of another version fails.  A shared library refers to it weakly: the
 * program in which it is loaded finds the version in the record, and says more than the dynamic linker. */
#define MER_PASTE_(a, b) a##b
#define MER_PASTE(a, b) MER_PASTE_(a, b)
#define MER_CONTRACT MER_PASTE(MER_PASTE(0x, MER_CONTRACT_NUMBER), U)
#define MER_CONTRACT_SYMBOL MER_PASTE(mer_contract_, MER_CONTRACT_NUMBER)
#if defined __PIC__ && !defined __PIE__ && !defined MER_RUNTIME
#define MER_CONTRACT_WEAK_ __attribute__((weak))
#else
#define MER_CONTRACT_WEAK_
#endif
extern const unsigned MER_CONTRACT_SYMBOL MER_CONTRACT_WEAK_;
/* Start-up is a constructor in a member of the archive.  Each unit refers to this name of the member, so that
 * linkers that know nothing of Meridian take it into the program. */
extern const char mer_start_linked MER_CONTRACT_WEAK_;

#define MER_ANY_THREADS (-1)
#ifdef MER_STATIC_THREADS
#define MER_UNIT_THREADS_ MER_STATIC_THREADS
#else
#define MER_UNIT_THREADS_ 0
#endif
/* The record of a file that is named `file', of this number of static threads. */
#define MER_UNIT_OF(file, threads)                                                                           \
    MER_JOIN_                                                                                                \
    static const struct mer_unit mer_unit_ MER_RECORD("mer_unit") = {MER_CONTRACT, threads, file};           \
    static const void *const mer_unit_refs_[]                                                                \
        __attribute__((used)) = {&MER_CONTRACT_SYMBOL, &mer_start_linked}
#define MER_UNIT(file) MER_UNIT_OF(file, MER_UNIT_THREADS_)

#endif
