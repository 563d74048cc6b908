/* Checks that all threads make the same calls of the array library.
 *
 * Each thread numbers its collective calls and keeps a record of the last one that other threads can read.  A
 * thread that has waited long for a message of another thread reads that thread's record.  If that thread is
 * in another call of the same number, or in a barrier, the two will never meet, and a fatal message names
 * both calls.  Calls that go through a barrier compare there.  A record costs a few stores a call. */
#ifndef MER_ARRAY_CALL_H
#define MER_ARRAY_CALL_H

#include <meridian/array.h>
#include <stdint.h>

#define MER_CALLS(X)                                                                                         \
    X(CREATE, "mer_array_create")                                                                            \
    X(OVER, "mer_array_over")                                                                                \
    X(LIKE, "mer_array_like")                                                                                \
    X(FREE, "mer_array_free")                                                                                \
    X(FILL, "mer_array_fill")                                                                                \
    X(REDUCE, "mer_array_reduce")                                                                            \
    X(SCATTER, "mer_array_scatter")                                                                          \
    X(GATHER, "mer_array_gather")                                                                            \
    X(COPY, "mer_array_copy")                                                                                \
    X(SAVE, "mer_array_save")                                                                                \
    X(LOAD, "mer_array_load")                                                                                \
    X(SAVE_HDF5, "mer_array_save_hdf5")                                                                      \
    X(LOAD_HDF5, "mer_array_load_hdf5")                                                                      \
    X(SHIFT_CIRCULAR, "mer_cshift")                                                                          \
    X(SHIFT_END_OFF, "mer_eoshift")                                                                          \
    X(SETUP, "mer_pshift_setup")                                                                             \
    X(PSHIFT, "mer_pshift")                                                                                  \
    X(START, "mer_pshift_start")                                                                             \
    X(FINISH, "mer_pshift_finish")                                                                           \
    X(UNSET, "mer_pshift_free")                                                                              \
    X(STENCIL, "mer_stencil_create")                                                                         \
    X(STENCIL_RUN, "mer_stencil_run")                                                                        \
    X(STENCIL_FETCH, "mer_stencil_fetch")                                                                    \
    X(STENCIL_FETCH_START, "mer_stencil_fetch_start")                                                        \
    X(STENCIL_FETCH_FINISH, "mer_stencil_fetch_finish")                                                      \
    X(STENCIL_FREE, "mer_stencil_free")

enum mer_call {
#define MER_CALL_ID(id, name) MER_CALL_##id,
    MER_CALLS(MER_CALL_ID)
#undef MER_CALL_ID
};

const char *mer_call_text(enum mer_call call);

/* Returns a hash of a and b. */
static inline uint64_t mer_call_digest(uint64_t a, uint64_t b) {
    uint64_t h = (a ^ 0x517cc1b727220a95ULL) * 0x9e3779b97f4a7c15ULL ^ (b + 0x2545f4914f6cdd1dULL);
    return h ^ h >> 29;
}

/* Returns a hash of a and the letters of a text. */
static inline uint64_t mer_call_digest_text(uint64_t a, const char *text) {
    for (; text && *text; text++)
        a = mer_call_digest(a, (unsigned char)*text);
    return a;
}

/* This thread enters a call of up to two arrays, by their numbers (0: none); detail: a digest of the other
 * arguments that have to be the same on all threads.  Returns a digest of this and all earlier calls.  Calls
 * that need nothing of other threads compare nothing; the next call that does finds a difference. */
uint64_t mer_call_begin(enum mer_call call, uint64_t first, uint64_t second, uint64_t detail);

/* mer_call_begin in two steps: the digest of a call, which is the same each time the call is made, and the
 * call with its digest. */
uint64_t mer_call_digest_of(enum mer_call call, uint64_t first, uint64_t second, uint64_t detail);
uint64_t mer_call_begin_known(enum mer_call call, uint64_t first, uint64_t second, uint64_t digest);

/* A barrier inside the call, in which the threads compare calls. */
void mer_call_barrier(void);
/* As mer_call_barrier; each thread leaves a value for the others (mer_barrier_payload). */
void mer_call_share(uint64_t mine);

/* mer_call_stalled: this thread has waited for a message of thread `other' that has not come; fatal if it is
 * certain that none will come.  mer_call_differs: a message has come, but of a call with another digest. */
void mer_call_stalled(int other);
_Noreturn void mer_call_differs(int other);

/* An error in the call that this thread is in: "mer_cshift of `a' and `b': " and the rest. */
_Noreturn void mer_call_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- arrays by number, for those messages ---- */

/* Return the next number, from 1 on, the same on all threads; mer_call_forget: the number's array is gone. */
uint64_t mer_call_register(const char *name);
void mer_call_forget(uint64_t number);
const char *mer_call_array(uint64_t number);

#endif
