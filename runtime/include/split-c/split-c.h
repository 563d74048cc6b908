/* Split-C's library.
 *
 * In a Split-C file (.sc) global pointers are the language's own: `void *global', `T *spread'.  A plain C
 * file may include this header too; global pointers are then mer_ptr (meridian/am.h), made by toglobal and
 * taken apart by toproc and tolocal.  The functions are the same in both.
 *
 * PROCS and MYPROC belong to the language; this header defines them for plain C.  A program's entry is
 * splitc_main(argc, argv), which every processor runs; in such programs all processors can access statics,
 * heap and stack.
 *
 * "Collective" below: every processor calls it, in the same order.
 */
#ifndef SPLIT_C_SPLIT_C_H
#define SPLIT_C_SPLIT_C_H

#include <meridian/everything.h>
#include <stddef.h>

#if defined(__SPLITC__)
#define MER_GLOBAL_VOID void *global
#define MER_SPREAD_VOID void *spread
#elif defined(__AC__)
#define MER_GLOBAL_VOID dist void *
#define MER_SPREAD_VOID dist void *
#else
#define MER_GLOBAL_VOID mer_ptr
#define MER_SPREAD_VOID mer_ptr
#define PROCS MER_THREADS
#define MYPROC MER_MYTHREAD
#endif

/* Gives a function of the library the name mer_splitc_... for the linker, to avoid conflicts: C libraries
 * have a `sync' of their own. */
#define MER_SPLITC(name) __asm__("mer_splitc_" #name)

#ifdef __cplusplus
extern "C" {
#endif

/* log2(PROCS), or -1 if PROCS is not a power of two. */
#define PROCSLOG mer_procs_log()
static __inline__ __attribute__((unused)) int mer_procs_log(void) {
    return (PROCS & (PROCS - 1)) == 0 ? __builtin_ctz((unsigned)PROCS) : -1;
}

/* ---- global pointers --------------------------------------------------------------------------------- */

/* toglobal returns a global pointer to the local address p of processor proc; toproc and tolocal return these
 * parts of a global pointer.  Null stays null.  In Split-C these names are words of the language. */
#if defined(__AC__)
dist void *mer_dist_missing_at(int proc, void *p) __asm__("mer_missing_at");
int mer_dist_named_proc(dist void *g) __asm__("mer_named_proc");
static __inline__ __attribute__((unused)) dist void *toglobal(int proc, void *p) {
    dist void *own = (dist void *)p;
    long here = (long)own;
    if ((unsigned)proc >= (unsigned)PROCS)
        return mer_dist_missing_at(proc, p);
    return (dist void *)(here ? (here & (1L << 48) - 1) | (long)proc << 48 : 0);
}
static __inline__ __attribute__((unused)) int toproc(dist void *g) {
    unsigned long proc = (unsigned long)g >> 48;
    return proc < (unsigned long)PROCS ? (int)proc : mer_dist_named_proc(g);
}
static __inline__ __attribute__((unused)) void *tolocal(dist void *g) { return (void *)g; }
#elif !defined(__SPLITC__)
MER_INLINE mer_ptr toglobal(int proc, const void *p) { return mer_to_global_at(proc, (mer_u64)p); }
MER_INLINE int toproc(mer_ptr g) { return mer_to_proc(g); }
MER_INLINE void *tolocal(mer_ptr g) { return mer_to_local(g); }

/* The program's entry, if the program is C; its result, an int, is the exit status. */
#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ <= 201710L)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
int splitc_main();
#pragma GCC diagnostic pop
#endif
#endif

/* ---- synchronisation --------------------------------------------------------------------------------- */

/* Waits for all processors.  Collective. */
void barrier(void) MER_SPLITC(barrier);

/* sync waits until all gets and puts of this processor are complete; is_sync returns whether they are. */
void sync(void) MER_SPLITC(sync);
int is_sync(void) MER_SPLITC(is_sync);

/* store_sync waits until nbytes more bytes have been stored (:-, bulk_store) to this processor, its own
 * stores included, and subtracts nbytes from the count.  reset_store_sync subtracts all bytes that have come
 * so far. */
void store_sync(size_t nbytes) MER_SPLITC(store_sync);
void reset_store_sync(void) MER_SPLITC(reset_store_sync);
/* Waits until all stores of all processors have arrived; the counts are zero then.  Collective. */
void all_store_sync(void) MER_SPLITC(all_store_sync);

/* ---- bulk transfers ---------------------------------------------------------------------------------- */

/* Copy nbytes bytes, of any alignment, and overlapping as memmove allows.  bulk_read and bulk_write are
 * complete on return, bulk_get and bulk_put at sync().  The receiver counts the bytes of bulk_store when it
 * is complete. */
void bulk_read(void *dst, MER_GLOBAL_VOID src, size_t nbytes) MER_SPLITC(bulk_read);
void bulk_write(MER_GLOBAL_VOID dst, const void *src, size_t nbytes) MER_SPLITC(bulk_write);
void bulk_get(void *dst, MER_GLOBAL_VOID src, size_t nbytes) MER_SPLITC(bulk_get);
void bulk_put(MER_GLOBAL_VOID dst, const void *src, size_t nbytes) MER_SPLITC(bulk_put);
void bulk_store(MER_GLOBAL_VOID dst, const void *src, size_t nbytes) MER_SPLITC(bulk_store);

/* ---- spread memory ----------------------------------------------------------------------------------- */

/* all_spread_malloc and spread_malloc allocate nblocks blocks of nbytes bytes: block L on processor L mod
 * PROCS, after L div PROCS others, aligned to 64 bytes and not cleared.  The result points to block 0, on
 * processor 0.  It is null if there is not enough memory, with a message on standard error, and for no bytes.
 * The functions with all_ are collective, with the same result on all processors; the others have one caller.
 * The functions with free take the pointer that the allocation returned, or null. */
MER_SPREAD_VOID all_spread_malloc(size_t nblocks, size_t nbytes) MER_SPLITC(all_spread_malloc);
void all_spread_free(MER_SPREAD_VOID p) MER_SPLITC(all_spread_free);
MER_SPREAD_VOID spread_malloc(size_t nblocks, size_t nbytes) MER_SPLITC(spread_malloc);
void spread_free(MER_SPREAD_VOID p) MER_SPLITC(spread_free);

/* ---- collectives on values ---------------------------------------------------------------------------- */

/* Combine the values of all processors, in the order of their numbers:
 *   all_reduce_to_one_OP   the result on processor 0; the others get their own value back
 *   all_reduce_to_all_OP   the result on every processor
 *   all_scan_OP            on processor p, the result over processors 0 ... p
 * OP: add, mult, max, min, and, or, xor for int; with u, l, f, d before it for unsigned, long, float, double
 * (the last two without and, or, xor).  Integer sums and products wrap around. */
#define MER_SPLITC_REDUCTION(T, op)                                                                          \
    T all_reduce_to_one_##op(T value) MER_SPLITC(all_reduce_to_one_##op);                                    \
    T all_reduce_to_all_##op(T value) MER_SPLITC(all_reduce_to_all_##op);                                    \
    T all_scan_##op(T value) MER_SPLITC(all_scan_##op);
#define MER_SPLITC_ARITHMETIC(T, letter)                                                                     \
    MER_SPLITC_REDUCTION(T, letter##add)                                                                     \
    MER_SPLITC_REDUCTION(T, letter##mult)                                                                    \
    MER_SPLITC_REDUCTION(T, letter##max)                                                                     \
    MER_SPLITC_REDUCTION(T, letter##min)
#define MER_SPLITC_BITS(T, letter)                                                                           \
    MER_SPLITC_REDUCTION(T, letter##and)                                                                     \
    MER_SPLITC_REDUCTION(T, letter## or)                                                                     \
    MER_SPLITC_REDUCTION(T, letter## xor)
MER_SPLITC_ARITHMETIC(int, )
MER_SPLITC_ARITHMETIC(unsigned, u)
MER_SPLITC_ARITHMETIC(long, l)
MER_SPLITC_ARITHMETIC(float, f)
MER_SPLITC_ARITHMETIC(double, d)
MER_SPLITC_BITS(int, )
MER_SPLITC_BITS(unsigned, u)
MER_SPLITC_BITS(long, l)

/* Combine values by a function of the program, which has to be associative: it replaces *into, the left
 * operand, by the combination of *into and *value.  The result replaces *value, of nbytes <= 4096 bytes. */
typedef void splitc_combine(void *into, const void *value);
void all_reduce_to_one_func(void *value, size_t nbytes, splitc_combine *function)
    MER_SPLITC(all_reduce_to_one_func);
void all_reduce_to_all_func(void *value, size_t nbytes, splitc_combine *function)
    MER_SPLITC(all_reduce_to_all_func);
void all_scan_func(void *value, size_t nbytes, splitc_combine *function) MER_SPLITC(all_scan_func);

/* Return processor 0's value on every processor.  Collective.  all_bcast is all_bcast_i.  all_bcast_bulk
 * copies the nbytes bytes at processor root's `value' to every processor's `value'. */
int all_bcast(int value) MER_SPLITC(all_bcast);
int all_bcast_i(int value) MER_SPLITC(all_bcast_i);
unsigned all_bcast_u(unsigned value) MER_SPLITC(all_bcast_u);
long all_bcast_l(long value) MER_SPLITC(all_bcast_l);
float all_bcast_f(float value) MER_SPLITC(all_bcast_f);
double all_bcast_d(double value) MER_SPLITC(all_bcast_d);
void all_bcast_bulk(void *value, size_t nbytes, int root) MER_SPLITC(all_bcast_bulk);

/* Collect the values of all processors in an array of PROCS elements: values[p] becomes processor p's
 * values[0].  all_gather fills the array of processor 0; the arrays of the others keep their values, and may
 * have one element.  all_concat fills the array of every processor.  Collective. */
void all_gather(int *values) MER_SPLITC(all_gather);
void all_gather_d(double *values) MER_SPLITC(all_gather_d);
void all_concat(int *values) MER_SPLITC(all_concat);
void all_concat_d(double *values) MER_SPLITC(all_concat_d);

/* Returns the seconds since some point in the past, the same for all processors of a host; monotonic. */
double get_seconds(void) MER_SPLITC(get_seconds);

#ifdef __cplusplus
}
#endif

#include <split-c/atomic.h>
#include <split-c/control.h>

#endif
