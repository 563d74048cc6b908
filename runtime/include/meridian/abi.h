/* What compiled code and the runtime agree on: the form of a pointer-to-shared, its arithmetic, how
 * shared memory is reached, and the records that a compiled file leaves for start-up.
 *
 * Every file that `meridian cc` writes includes this header first; the runtime includes it too. It must
 * compile after any user program, so it includes nothing but its own parts, and every name begins with mer_
 * or MER_.
 *
 * The address space of a host.  Each of the THREADS processes maps one file of shared memory at
 * MER_VIEW_BASE, at the same place in every process.  Thread t owns the span
 *
 *     [MER_VIEW_BASE + t * span, MER_VIEW_BASE + (t + 1) * span)
 *
 * and an object that its owner's image holds at the native address a (a static shared object) lies at
 * MER_VIEW_BASE + t * span + a.  The shared heap of a thread fills its span above MER_HEAP_OFFSET.
 *
 * A pointer-to-shared without phase is 8 bytes: the thread in the top 16 bits, and in the low 48 the
 * address at which that memory is seen.  Because the views stand at the same place in every process, a
 * dereference is one `and` and the load: no table, no branch, no call.  Stepping to the next thread adds
 * mer_stride() = (1 << 48) + span.  A pointer with phase is such a pointer and the phase beside it.
 */
#ifndef MERIDIAN_ABI_H
#define MERIDIAN_ABI_H

#define MER_ABI 4

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

#define MER_THREAD_SHIFT 48
#define MER_ADDR_MASK 0x0000ffffffffffffULL
#define MER_VIEW_BASE 0x110000000000ULL /* above the address sanitizer's shadow */
#define MER_VIEW_SIZE (1ULL << 46)      /* all spans of a host together */
/* Spans are this much less than a power of two, so that the same object of two threads differs in address
 * bits 21 … 27: AMD's processors choose the way of the first-level cache by a hash of bits 12 … 27, and where
 * these agree, lines of two threads drive each other out (half the speed of a walk over both). */
#define MER_SPAN_SKEW (2ULL << 20)
#define MER_HEAP_OFFSET (1ULL << 31) /* a span's heap starts past any small-model image */
#define MER_MAX_BLOCK_SIZE (1ULL << 40)

/* The job, as one thread sees it.  Written once, before any user code, then constant: compiled code
 * declares it const so that the C compiler may keep its fields in registers across calls. */
struct mer_job {
    int mythread;
    int threads;
    mer_u64 span;  /* bytes of address space a thread */
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

/* Where `inline' means what it did in 1989 (Split-C), programs have `extern inline' functions; compilers warn
 * of static ones that these call. */
#ifdef __GNUC_GNU_INLINE__
#define MER_INLINE extern __inline__ __attribute__((always_inline, gnu_inline, unused))
#else
#define MER_INLINE static __inline__ __attribute__((always_inline, unused))
#endif

/* MER_SMALL: functions that optimised code has in line, and code without optimisation calls in the runtime
 * (MER_CALLS; rma/called.c, which defines MER_SMALL_HERE).  So that is short and quickly compiled, and
 * debuggers step over what has no lines. */
#if defined(MER_SMALL_HERE)
#define MER_SMALL
#elif defined(__OPTIMIZE__) || defined(MER_RUNTIME)
#define MER_SMALL MER_INLINE
#else
#define MER_SMALL extern __inline__ __attribute__((gnu_inline, unused))
#define MER_CALLS
#endif

/* In front of a loop: a few of its iterations for each test whether it goes on.  clang does so by itself. */
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

/* Bits below this one are of objects that this process may use by plain loads and stores: those of all
 * threads of the job, but neither MER_PRIVATE ones nor pointers to threads that do not exist.  0 with
 * MERIDIAN_REFERENCE=1, so that the memory of other threads is reached by active message, and if the job
 * spans hosts, which takes a closer look. Constant after start-up. */
#ifndef MER_RUNTIME
extern const mer_u64 mer_local_limit;
#else
extern mer_u64 mer_local_limit;
#endif

/* Is the memory of a global pointer remote, so that no plain load or store does for it?  One comparison,
 * since loops ask for each access.  (Null counts as local: the access to address 0 is a fault.)  Of a
 * pointer-to-shared, whose memory is never private, mer_remote asks, of the job MER_HAS_REMOTE (access.h). */
MER_SMALL int mer_remote_global(mer_u64 bits) {
    return __builtin_expect(bits >= mer_local_limit, 0) &&
           !(mer_job.has_remote && bits - ((mer_u64)mer_job.here_first << MER_THREAD_SHIFT) <
                                       (mer_u64)mer_job.here << MER_THREAD_SHIFT);
}

/* What is one expression is a macro: C compilers take tens of microseconds for each call that they expand,
 * and an access has many. */
#define mer_stride() ((1ULL << MER_THREAD_SHIFT) + MER_SPAN)

/* ---- division by THREADS ---------------------------------------------------------------------- */

/* n / THREADS for 0 <= n < 2^63.  Static THREADS: the C compiler's own constant division.  Dynamic: with
 * l = ceil(log2 T) and magic = ceil(2^(63+l) / T), which lies in [2^63, 2^64), the quotient is
 * high64(2n * magic) >> l; the error n * (magic*T - 2^(63+l)) < n * 2^l stays under 2^(63+l).
 * One multiplication instead of a division: 1.3 x static THREADS is the aim.  For a power of two, the usual
 * case, magic is 2^63 and a shift does; as mer_job is constant, gcc -O3 takes the branch out of loops. */
/* Put on one side of a condition, it keeps the C compiler from computing both sides and selecting. */
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
/* The same of a pointer that may be MER_PRIVATE. */
#define mer_procof(bits) (((mer_u64)(bits) & ~MER_PRIVATE) >> MER_THREAD_SHIFT)

/* Where this process sees the object.  Valid for every thread of the host.  Null gives a null pointer. */
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
/* A cast between phased pointers keeps the phase only where type size and block size agree (6.4.3). */
MER_SMALL mer_pptr mer_rephase(mer_pptr p, int same) { return mer_mkp(p.bits, same ? p.phase : 0); }

/* Where a static shared object lies in the part of each thread.  In code for a fixed address that is its
 * native address, a constant.  Position-independent code is loaded elsewhere in each process: start-up puts
 * the number into a word of each place that names the object (section mer_sym), which costs a load. */
#ifdef __PIC__
#define MER_SYM(object)                                                                                      \
    (__extension__({                                                                                         \
        static mer_u64 mer_sym_ MER_RECORD("mer_sym") = (mer_u64) & (object);                                \
        mer_sym_;                                                                                            \
    }))
#else
#define MER_SYM(object) ((mer_u64) & (object))
#endif

/* A function, since -fsanitize=undefined knows the size of what has a name, but does not look through calls.
 */
MER_INLINE void *mer_beyond(void *object, mer_u64 by) { return (char *)object + by; }

/* The first element of a static shared array, where this host has it.  gcc knows by the name of the object
 * that others do not overlap it; of a sum with a constant, which may be any address, it does not. */
#if defined(__PIC__) || defined(__clang__) || defined(MER_CALLS)
#define MER_FIRST(object) mer_at(mer_bits(0, MER_SYM(object)))
#else
#define MER_FIRST(object) mer_beyond((void *)&(object), mer_view_base)
#endif
extern const mer_u64 mer_view_base; /* MER_VIEW_BASE */

/* A place in a static shared array, by the array's name: `at' is where it would be if the array were at
 * native address 0.  So gcc knows that other arrays do not overlap it, and neither asks in front of a loop
 * nor writes the loop twice.  Which image holds the object: STATIC, this one; DEFINED, this one in a program;
 * NAMED, any.  In position-independent code an object of this image lies as far from the first one as its
 * place does from that one's, which start-up puts into mer_origin. */
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
/* This thread's part; and element n, which may be negative, of a cyclic array. */
#define MER_OWN_PART(image, object)                                                                          \
    MER_##image##_PART(object, mer_view_base + (mer_u64)MER_MYTHREAD * MER_SPAN)
#define MER_NEAR_PART(image, object, n, size)                                                                \
    MER_##image##_PART(object, (mer_u64)mer_near_c(MER_VIEW_BASE, n, size))

/* What n steps from thread to thread add to the bits, if they end in row q (may be negative): each step a
 * stride, and each new row `row` bytes on and THREADS strides back.  As a sum of two products, of which one
 * follows n and the other waits for q, it needs no remainder, and a loop over n has the first by addition. */
#define mer_travel(n, q, row)                                                                                \
    ((mer_u64)(n)*mer_stride() + (mer_u64)(q) * ((mer_u64)(row) - (mer_u64)MER_THREADS * mer_stride()))

/* ---- elements of a static shared array: a is its native address, n >= 0 the element's number ----- */

MER_SMALL mer_ptr mer_elem_i(mer_u64 a, mer_i64 n, mer_u64 size) {
    /* All of it is thread 0's.  Told so, C compilers drop the mask of mer_at, which would hide from them that
     * a loop walks along an array, and vectorise the loop. */
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
/* The same of objects on this host that are only accessed: their addresses in place of the bits.  The sums do
 * without the threads' numbers, and the C compiler, told so, without the mask of mer_at: an element in no
 * order (`table[index[i]]') takes an instruction or two less, and it is their number that bounds how many
 * such loads a processor has under way.  Of a power of two THREADS the owner is a part of n, which leaves one
 * product; and n / THREADS * size is n * (size / THREADS) less that of the owner.  The span is the job's, in
 * a register: for a product with a constant as long C compilers have three instructions in place of one. */
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

/* Numbers without a sign, so that a garbage pointer or index gives a garbage pointer and no more: loops that
 * are read ahead compute with such (early.h). */

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
/* One step, the form that walks take: no division, and one branch that is taken once a turn or block.  It is
 * to stay a branch, which is foreseen: a conditional move would put four cycles on the way from step to step.
 */
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

/* n / size for n bytes of whole elements: no remainder has to be rounded away. */
MER_SMALL mer_i64 mer_whole(mer_i64 n, mer_u64 size) {
    return (size & (size - 1)) == 0 ? n >> __builtin_ctzll(size) : n / (mer_i64)size;
}

/* p - q in elements. */
MER_SMALL mer_i64 mer_diff_i(mer_ptr p, mer_ptr q, mer_u64 size) {
    return mer_whole((mer_i64)(p.bits - q.bits), size);
}
/* p - q in threads, and the bytes that are left of it within a thread. */
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
 * is under 2^46 and THREADS at most 2^13, so that their product is a number. */
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
#include "early.h"    /* what is computed before the program comes to it */
#include "prefetch.h" /* loops that ask in advance */
#include "atomic.h"   /* <upc_atomic.h> in line */
#include "forall.h"   /* upc_forall, and loops over own rows */

/* ---- synchronisation statements --------------------------------------------------------------------- */

/* where: "file:line" of the statement, for messages; lives as long as the program. */
void mer_notify(int has_value, int value, const char *where);
void mer_wait(int has_value, int value, const char *where);
void mer_barrier(int has_value, int value, const char *where);

/* The body of a loop that waits for shared memory to change; state: all zero before the loop. */
struct mer_spin {
    mer_u64 state[8];
};
void mer_spin(struct mer_spin *state);

/* ---- what a compiled file leaves for start-up --------------------------------------------------------- */

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

/* Each object file: one. */
struct mer_unit {
    unsigned abi;
    int static_threads; /* 0: dynamic */
    const char *file;
};

/* "Store into the private object at `where` a pointer to element n + each * THREADS of the static shared
 * array at `base`, whose elements have `size` bytes and block size `block`, then add `offset` bytes": static
 * initialisers of private pointers-to-shared.  wide: 1: where is a mer_pptr; 2: one whose phase is 0 after a
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
 * row: not 0: the image is rows of as many elements, those of the object have `each' for every thread. */
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

/* "The size of this one is what the function gives", which depends on nothing but THREADS. */
struct mer_sized {
    struct mer_big *object;
    mer_u64 (*bytes)(void);
};

/* Bytes of a thread's part of `count' units of `size' bytes, dealt out one by one. */
MER_SMALL mer_u64 mer_part_bytes(mer_i64 count, mer_size size) {
    return count > 0 ? ((mer_u64)count + (mer_u64)MER_THREADS - 1) / (mer_u64)MER_THREADS * size : 0;
}

/* What start-up needs to know of an image, which is the program or a shared library: the bounds of its
 * sections. The last members are start-up's own. */
struct mer_image {
    char *parts, *parts_end; /* of static shared objects; `shared` is a word of UPC, which reads this too */
    const struct mer_unit *unit, *unit_end;
    const struct mer_init_ptr *init_ptr, *init_ptr_end;
    const struct mer_init_data *init_data, *init_data_end;
    struct mer_big *big, *big_end;
    const struct mer_sized *sized, *sized_end;
    mer_u64 *sym, *sym_end;
    mer_u64 bias; /* native address less what MER_SYM gives */
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

/* The image is loaded: start-up, or, where that is over, this call gives its objects their places and values.
 */
void mer_image_join(struct mer_image *image);

/* Each unit of position-independent code calls it for its image, which knows itself by hidden symbols. */
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

/* An object refers to this symbol, so that linking with another ABI's runtime fails by name. */
extern const char mer_abi_1;
#define MER_UNIT(file)                                                                                       \
    MER_JOIN_                                                                                                \
    static const struct mer_unit mer_unit_ MER_RECORD("mer_unit") = {MER_ABI, MER_UNIT_THREADS_, file};      \
    static const void *const mer_abi_ref_ __attribute__((used)) = &mer_abi_1
#ifdef MER_STATIC_THREADS
#define MER_UNIT_THREADS_ MER_STATIC_THREADS
#else
#define MER_UNIT_THREADS_ 0
#endif

#endif
