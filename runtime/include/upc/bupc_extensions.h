/* <bupc_extensions.h>: functions beyond the standard that many UPC programs know by their names in Berkeley
 * UPC: transfers of scattered data, semaphores, atomic operations by type, value-based collectives, pointers,
 * ticks.  This is UPC source.  New programs have <upc_nb.h>, <upc_atomic.h>, <upc_tick.h> and
 * <upc_castable.h> for much of it. */
#ifndef MERIDIAN_BUPC_EXTENSIONS_H
#define MERIDIAN_BUPC_EXTENSIONS_H

#ifndef __UPC__
#error "<bupc_extensions.h> is for UPC programs: compile them with `meridian cc' (.upc files, or -x upc)"
#endif

#include <stddef.h>
#include <stdint.h>
#include <upc.h>
#include <upc_nb.h>
#include <upc_tick.h>
#include <bupc_collectivev.h>

/* ---- ticks ------------------------------------------------------------------------------------------- */

typedef upc_tick_t bupc_tick_t;
#define BUPC_TICK_MAX UPC_TICK_MAX
#define BUPC_TICK_MIN UPC_TICK_MIN
#define bupc_ticks_now() upc_ticks_now()
#define bupc_ticks_to_ns(ticks) upc_ticks_to_ns(ticks)
#define bupc_ticks_to_us(ticks) (upc_ticks_to_ns(ticks) / 1000)
double bupc_tick_granularity(void); /* least difference of two readings, in microseconds */
double bupc_tick_overhead(void);    /* cost of a reading, in microseconds */

/* ---- pointers, threads ------------------------------------------------------------------------------- */

/* Returns p + elemincr for a pointer to elements of elemsz bytes in blocks of blockelems (0: indefinite) */
shared void *bupc_ptradd(shared void *p, size_t blockelems, size_t elemsz, ptrdiff_t elemincr);

/* The address at which this thread sees a shared object, and the inverse.  bupc_cast returns null if there is
 * none (on one host there always is); bupc_inverse_cast returns null for private memory. */
int bupc_castable(shared void *ptr);
int bupc_thread_castable(unsigned int threadnum);
void *bupc_cast(shared void *ptr);
shared void *bupc_inverse_cast(void *ptr);

/* Returns a pointer with that phase to the memory of `thread' at the offset that ptr has in its thread's */
shared void *bupc_local_to_shared(void *ptr, int thread, int phase);

/* Writes ptr as text to buf, which has maxlen bytes.  Returns 0, or -1 with errno EINVAL if maxlen is less
 * than the constant. */
#define BUPC_DUMP_MIN_LENGTH 100
int bupc_dump_shared(shared const void *ptr, char *buf, int maxlen);

/* Returns the distance of two threads: SAME for a thread and itself, VERYNEAR on one host, else VERYFAR */
#define BUPC_THREADS_SAME 0
#define BUPC_THREADS_VERYNEAR 10
#define BUPC_THREADS_NEAR 20
#define BUPC_THREADS_FAR 30
#define BUPC_THREADS_VERYFAR 40
int bupc_thread_distance(int threadX, int threadY);

/* Handles messages that have come, and yields the processor if the host is oversubscribed */
void bupc_poll(void);

/* Traces and statistics: use `meridian run --profile' instead.  These functions only keep the masks and the
 * switch that they set.  bupc_trace_printf(("x is %d", x)): two pairs of parentheses. */
#define bupc_trace_printf(parenthesised) ((void)0)
void bupc_trace_setmask(const char *mask);
void bupc_stats_setmask(const char *mask);
const char *bupc_trace_getmask(void);
const char *bupc_stats_getmask(void);
void bupc_trace_settracelocal(int on);
int bupc_trace_gettracelocal(void);

/* ---- non-blocking transfers, as in <upc_nb.h>: on one host they are complete when they are begun ------- */

typedef upc_handle_t bupc_handle_t;
#define BUPC_COMPLETE_HANDLE UPC_COMPLETE_HANDLE

void bupc_waitsync(bupc_handle_t handle);
int bupc_trysync(bupc_handle_t handle);
void bupc_waitsync_all(bupc_handle_t *handles, size_t n);
void bupc_waitsync_some(bupc_handle_t *handles, size_t n);
int bupc_trysync_all(bupc_handle_t *handles, size_t n);
int bupc_trysync_some(bupc_handle_t *handles, size_t n);
void bupc_waitsynci(void);
int bupc_trysynci(void);
void bupc_begin_accessregion(void);
bupc_handle_t bupc_end_accessregion(void);

bupc_handle_t bupc_memcpy_async(shared void *dst, shared const void *src, size_t n);
bupc_handle_t bupc_memget_async(void *dst, shared const void *src, size_t n);
bupc_handle_t bupc_memput_async(shared void *dst, const void *src, size_t n);
bupc_handle_t bupc_memset_async(shared void *dst, int c, size_t n);
void bupc_memcpy_asynci(shared void *dst, shared const void *src, size_t n);
void bupc_memget_asynci(void *dst, shared const void *src, size_t n);
void bupc_memput_asynci(shared void *dst, const void *src, size_t n);
void bupc_memset_asynci(shared void *dst, int c, size_t n);

/* ---- transfers of scattered data ------------------------------------------------------------------------
 *
 * Each side is a sequence of pieces.  The bytes of the source become those of the destination, in order; both
 * sides have the same number of bytes.  A piece has affinity to one thread.
 *   vlist     a list of addresses and lengths
 *   ilist     a list of addresses, one length
 *   fstrided  `count' pieces of `chunklen' bytes, `chunkstride' bytes from one to the next
 *   strided   a box in arrays of several dimensions: count[0] bytes, count[1] times at a distance of
 *             strides[0] bytes, that count[2] times at strides[1], ..., count[stridelevels]
 * Each function also has the forms _async, which returns a handle, and _asynci.
 */
typedef struct bupc_smemvec {
    shared void *addr;
    size_t len;
} bupc_smemvec_t;
typedef struct bupc_pmemvec {
    void *addr;
    size_t len;
} bupc_pmemvec_t;

#define BUPC_TRANSFER_(name, ...)                                                                            \
    void name(__VA_ARGS__);                                                                                  \
    bupc_handle_t name##_async(__VA_ARGS__);                                                                 \
    void name##_asynci(__VA_ARGS__)

BUPC_TRANSFER_(bupc_memcpy_vlist, size_t dstcount, bupc_smemvec_t const dstlist[], size_t srccount,
               bupc_smemvec_t const srclist[]);
BUPC_TRANSFER_(bupc_memput_vlist, size_t dstcount, bupc_smemvec_t const dstlist[], size_t srccount,
               bupc_pmemvec_t const srclist[]);
BUPC_TRANSFER_(bupc_memget_vlist, size_t dstcount, bupc_pmemvec_t const dstlist[], size_t srccount,
               bupc_smemvec_t const srclist[]);

BUPC_TRANSFER_(bupc_memcpy_ilist, size_t dstcount, shared void *const dstlist[], size_t dstlen,
               size_t srccount, shared void *const srclist[], size_t srclen);
BUPC_TRANSFER_(bupc_memput_ilist, size_t dstcount, shared void *const dstlist[], size_t dstlen,
               size_t srccount, void *const srclist[], size_t srclen);
BUPC_TRANSFER_(bupc_memget_ilist, size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount,
               shared void *const srclist[], size_t srclen);

BUPC_TRANSFER_(bupc_memcpy_fstrided, shared void *dst, size_t dstchunklen, size_t dstchunkstride,
               size_t dstchunkcount, shared const void *src, size_t srcchunklen, size_t srcchunkstride,
               size_t srcchunkcount);
BUPC_TRANSFER_(bupc_memput_fstrided, shared void *dst, size_t dstchunklen, size_t dstchunkstride,
               size_t dstchunkcount, const void *src, size_t srcchunklen, size_t srcchunkstride,
               size_t srcchunkcount);
BUPC_TRANSFER_(bupc_memget_fstrided, void *dst, size_t dstchunklen, size_t dstchunkstride,
               size_t dstchunkcount, shared const void *src, size_t srcchunklen, size_t srcchunkstride,
               size_t srcchunkcount);

BUPC_TRANSFER_(bupc_memcpy_strided, shared void *dst, const size_t dststrides[], shared const void *src,
               const size_t srcstrides[], const size_t count[], size_t stridelevels);
BUPC_TRANSFER_(bupc_memput_strided, shared void *dst, const size_t dststrides[], const void *src,
               const size_t srcstrides[], const size_t count[], size_t stridelevels);
BUPC_TRANSFER_(bupc_memget_strided, void *dst, const size_t dststrides[], shared const void *src,
               const size_t srcstrides[], const size_t count[], size_t stridelevels);

/* ---- semaphores: counts, 0 at first; writes before a post are visible to the thread it releases ------ */

typedef shared struct bupc_sem_struct bupc_sem_t;
#define BUPC_SEM_BOOLEAN 0x01 /* 0 or 1: a post of a semaphore that is 1 has no effect */
#define BUPC_SEM_INTEGER 0x02
#define BUPC_SEM_SPRODUCER 0x04 /* only one thread posts; only one waits: hints */
#define BUPC_SEM_MPRODUCER 0x08
#define BUPC_SEM_SCONSUMER 0x10
#define BUPC_SEM_MCONSUMER 0x20
#define BUPC_SEM_MAXVALUE 0x7fffffff

bupc_sem_t *bupc_sem_alloc(int flags); /* in the caller's shared memory; null if that is full */
void bupc_sem_free(bupc_sem_t *s);
void bupc_sem_post(bupc_sem_t *s);
void bupc_sem_postN(bupc_sem_t *s, size_t n);
void bupc_sem_wait(bupc_sem_t *s);
void bupc_sem_waitN(bupc_sem_t *s, size_t n);
int bupc_sem_try(bupc_sem_t *s); /* 1: has waited; 0: would have to wait, nothing changed */
int bupc_sem_tryN(bupc_sem_t *s, size_t n);
/* A put, and a post of n after its completion */
void bupc_memput_signal(shared void *dst, const void *src, size_t nbytes, bupc_sem_t *s, size_t n);
void bupc_memput_signal_async(shared void *dst, const void *src, size_t nbytes, bupc_sem_t *s, size_t n);

/* ---- atomic operations by type -------------------------------------------------------------------------
 *
 * bupc_atomic<X>_<operation>_<relaxed or strict> on a shared object, ..._private on a private one:
 *   read(p)  set(p, v)  swap(p, v)  cswap(p, old, new)                        all types
 *   mswap(p, mask, v)  fetchadd(p, v)  fetchand  fetchor  fetchxor  fetchnot(p)    integers
 * All except set return the old value; mswap replaces the bits of mask by those of v.
 */
#define BUPC_ATOMIC_MODE_(X, T, mode, pointer)                                                               \
    T bupc_atomic##X##_read_##mode(pointer);                                                                 \
    void bupc_atomic##X##_set_##mode(pointer, T value);                                                      \
    T bupc_atomic##X##_swap_##mode(pointer, T value);                                                        \
    T bupc_atomic##X##_cswap_##mode(pointer, T oldvalue, T newvalue)
#define BUPC_ATOMIC_BITS_(X, T, mode, pointer)                                                               \
    BUPC_ATOMIC_MODE_(X, T, mode, pointer);                                                                  \
    T bupc_atomic##X##_mswap_##mode(pointer, T mask, T value);                                               \
    T bupc_atomic##X##_fetchadd_##mode(pointer, T operand);                                                  \
    T bupc_atomic##X##_fetchand_##mode(pointer, T operand);                                                  \
    T bupc_atomic##X##_fetchor_##mode(pointer, T operand);                                                   \
    T bupc_atomic##X##_fetchxor_##mode(pointer, T operand);                                                  \
    T bupc_atomic##X##_fetchnot_##mode(pointer)
#define BUPC_ATOMIC_INTEGER_(X, T)                                                                           \
    BUPC_ATOMIC_BITS_(X, T, relaxed, shared void *ptr);                                                      \
    BUPC_ATOMIC_BITS_(X, T, strict, shared void *ptr);                                                       \
    BUPC_ATOMIC_BITS_(X, T, private, void *ptr)
#define BUPC_ATOMIC_FLOATING_(X, T)                                                                          \
    BUPC_ATOMIC_MODE_(X, T, relaxed, shared void *ptr);                                                      \
    BUPC_ATOMIC_MODE_(X, T, strict, shared void *ptr);                                                       \
    BUPC_ATOMIC_MODE_(X, T, private, void *ptr)

BUPC_ATOMIC_INTEGER_(I, int);
BUPC_ATOMIC_INTEGER_(U, unsigned int);
BUPC_ATOMIC_INTEGER_(UI, unsigned int);
BUPC_ATOMIC_INTEGER_(L, long);
BUPC_ATOMIC_INTEGER_(UL, unsigned long);
BUPC_ATOMIC_INTEGER_(I32, int32_t);
BUPC_ATOMIC_INTEGER_(U32, uint32_t);
BUPC_ATOMIC_INTEGER_(I64, int64_t);
BUPC_ATOMIC_INTEGER_(U64, uint64_t);
BUPC_ATOMIC_FLOATING_(F, float);
BUPC_ATOMIC_FLOATING_(D, double);

/* ---- names that begin with upc_, which the oldest of these programs use -------------------------------- */

#define upc_poll bupc_poll
#define upc_ptradd bupc_ptradd
#define upc_local_to_shared bupc_local_to_shared
#define upc_dump_shared bupc_dump_shared
#define upc_thread_distance bupc_thread_distance
#define upc_tick_granularity bupc_tick_granularity
#define upc_tick_overhead bupc_tick_overhead
#define upc_ticks_to_us bupc_ticks_to_us
#define upc_waitsync bupc_waitsync
#define upc_trysync bupc_trysync
#define upc_waitsync_all bupc_waitsync_all
#define upc_waitsync_some bupc_waitsync_some
#define upc_trysync_all bupc_trysync_all
#define upc_trysync_some bupc_trysync_some
#define upc_waitsynci bupc_waitsynci
#define upc_trysynci bupc_trysynci
#define upc_begin_accessregion bupc_begin_accessregion
#define upc_end_accessregion bupc_end_accessregion
#define upc_memcpy_async bupc_memcpy_async
#define upc_memcpy_asynci bupc_memcpy_asynci
#define upc_memget_async bupc_memget_async
#define upc_memget_asynci bupc_memget_asynci
#define upc_memput_async bupc_memput_async
#define upc_memput_asynci bupc_memput_asynci
#define upc_memset_async bupc_memset_async
#define upc_memset_asynci bupc_memset_asynci
#define upc_memcpy_vlist bupc_memcpy_vlist
#define upc_memcpy_vlist_async bupc_memcpy_vlist_async
#define upc_memcpy_vlist_asynci bupc_memcpy_vlist_asynci
#define upc_memput_vlist bupc_memput_vlist
#define upc_memput_vlist_async bupc_memput_vlist_async
#define upc_memput_vlist_asynci bupc_memput_vlist_asynci
#define upc_memget_vlist bupc_memget_vlist
#define upc_memget_vlist_async bupc_memget_vlist_async
#define upc_memget_vlist_asynci bupc_memget_vlist_asynci
#define upc_memcpy_ilist bupc_memcpy_ilist
#define upc_memcpy_ilist_async bupc_memcpy_ilist_async
#define upc_memcpy_ilist_asynci bupc_memcpy_ilist_asynci
#define upc_memput_ilist bupc_memput_ilist
#define upc_memput_ilist_async bupc_memput_ilist_async
#define upc_memput_ilist_asynci bupc_memput_ilist_asynci
#define upc_memget_ilist bupc_memget_ilist
#define upc_memget_ilist_async bupc_memget_ilist_async
#define upc_memget_ilist_asynci bupc_memget_ilist_asynci
#define upc_memcpy_fstrided bupc_memcpy_fstrided
#define upc_memcpy_fstrided_async bupc_memcpy_fstrided_async
#define upc_memcpy_fstrided_asynci bupc_memcpy_fstrided_asynci
#define upc_memput_fstrided bupc_memput_fstrided
#define upc_memput_fstrided_async bupc_memput_fstrided_async
#define upc_memput_fstrided_asynci bupc_memput_fstrided_asynci
#define upc_memget_fstrided bupc_memget_fstrided
#define upc_memget_fstrided_async bupc_memget_fstrided_async
#define upc_memget_fstrided_asynci bupc_memget_fstrided_asynci
#define upc_memcpy_strided bupc_memcpy_strided
#define upc_memcpy_strided_async bupc_memcpy_strided_async
#define upc_memcpy_strided_asynci bupc_memcpy_strided_asynci
#define upc_memput_strided bupc_memput_strided
#define upc_memput_strided_async bupc_memput_strided_async
#define upc_memput_strided_asynci bupc_memput_strided_asynci
#define upc_memget_strided bupc_memget_strided
#define upc_memget_strided_async bupc_memget_strided_async
#define upc_memget_strided_asynci bupc_memget_strided_asynci
#define upc_sem_t bupc_sem_t
#define upc_sem_alloc bupc_sem_alloc
#define upc_sem_free bupc_sem_free
#define upc_sem_post bupc_sem_post
#define upc_sem_postN bupc_sem_postN
#define upc_sem_wait bupc_sem_wait
#define upc_sem_waitN bupc_sem_waitN
#define upc_sem_try bupc_sem_try
#define upc_sem_tryN bupc_sem_tryN
#define upc_memput_signal bupc_memput_signal
#define upc_memput_signal_async bupc_memput_signal_async

#endif
