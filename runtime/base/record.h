/* Recording what a thread does in the runtime: the calls that pass through the runtime, how long each took,
 * and the time between them.  For `meridian sim` (docs/sim.md) they become the thread's part of a trace, for
 * `meridian run --profile` sums by the line that made them (base/profile.h).
 *
 * A call that other calls of the runtime make is recorded once, as the outermost: begin and end nest.
 * Without a recording a call costs one load and a branch that is foreseen.  Only the thread itself records;
 * a progress thread never does.
 *
 * A call's place in the program is where the function that holds mer_record_begin returns to.  Such functions
 * are therefore called by the program itself, directly or by a jump in place of a last call. */
#ifndef MER_BASE_RECORD_H
#define MER_BASE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

/* What is recorded.  The numbers are those of the file (`crates/sim/src/trace.rs`). */
enum mer_record_kind {
    MER_RECORD_NOTHING = 0, /* of no interest: counts as computing */
    MER_RECORD_BARRIER = 1,
    MER_RECORD_NOTIFY = 2,
    MER_RECORD_WAIT = 3,
    MER_RECORD_PUT = 4,
    MER_RECORD_GET = 5,
    MER_RECORD_PUT_BEGIN = 6,
    MER_RECORD_GET_BEGIN = 7,
    MER_RECORD_SYNC = 8,
    MER_RECORD_LOCK = 9,
    MER_RECORD_UNLOCK = 10,
    MER_RECORD_BROADCAST = 11,
    MER_RECORD_SCATTER = 12,
    MER_RECORD_GATHER = 13,
    MER_RECORD_GATHER_ALL = 14,
    MER_RECORD_EXCHANGE = 15,
    MER_RECORD_PERMUTE = 16,
    MER_RECORD_REDUCE = 17,
    MER_RECORD_PREFIX = 18,
    MER_RECORD_REQUEST = 19,
    MER_RECORD_ATOMIC = 20, /* of the profile alone; a request in a trace */
    MER_RECORD_END = 21,    /* likewise: the barrier at the end of the program */
    MER_RECORD_INNER = 22   /* not in a file: whatever the last call within this one was */
};

/* Whether this thread records: constant while a program runs, unless the file cannot be written. */
extern bool mer_recording;

void mer_record_enter(const void *place);
void mer_record_leave(enum mer_record_kind kind, int other, uint64_t bytes);

/* A call begins, which returns to `place' in the program. */
static inline void mer_record_begin_at(const void *place) {
    if (__builtin_expect(mer_recording, 0))
        mer_record_enter(place);
}
/* The same where the call is of this very function. */
#define mer_record_begin() mer_record_begin_at(__builtin_return_address(0))

/* The call ends: what it was, with which other thread (the root of a collective), and how many bytes; for a
 * lock its number.  A put to the thread itself or a get from it counts as computing. */
static inline void mer_record_end(enum mer_record_kind kind, int other, uint64_t bytes) {
    if (__builtin_expect(mer_recording, 0))
        mer_record_leave(kind, other, bytes);
}

/* Start-up, before all threads have met: opens the file that MERIDIAN_RECORD names, if it names one, and in
 * a job on several hosts one of this thread's own beside it.  Thread 0 gives it its head.  A file that cannot
 * be opened is a fatal message.  Opens the profile's too. */
void mer_record_open(int thread, int threads, bool several);
/* Start-up, last: what follows is recorded. */
void mer_record_start(void);
/* The end of the thread, after the last barrier: writes what is left, and that it is all. */
void mer_record_finish(void);
/* The end of a thread whose status is not 0: its trace stays incomplete, its profile is written. */
void mer_record_abandon(void);

#endif
