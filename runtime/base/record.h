/* The recording of a thread's calls of the runtime: how long each took, and the time between them.  For
 * `meridian sim` (docs/sim.md) they become the thread's part of a trace, for `meridian run --profile` sums by
 * the line that made them (base/profile.h).
 *
 * A call that other calls of the runtime make is recorded once, as the outermost: begin and end nest.
 * Without a recording a call costs one load and a predicted branch.  Only the thread itself records; a
 * progress thread never does.
 *
 * A call's place in the program is the return address of the function that holds mer_record_begin.  So the
 * program itself calls such functions, directly or by a tail call. */
#ifndef MER_BASE_RECORD_H
#define MER_BASE_RECORD_H

#include <meridian/abi/contract.h>
#include <stdbool.h>
#include <stdint.h>

/* The kinds of records (meridian/abi/contract.h). */
enum mer_record_kind {
#define MER_RECORD_KIND(name, number, text) MER_RECORD_##name = (number),
    MER_RECORD_KINDS(MER_RECORD_KIND)
#undef MER_RECORD_KIND
};

/* True if this thread records: constant while a program runs, unless the file cannot be written. */
extern bool mer_recording;

void mer_record_enter(const void *place);
void mer_record_leave(enum mer_record_kind kind, int other, uint64_t bytes);

/* Begins a call that returns to `place' in the program. */
static inline void mer_record_begin_at(const void *place) {
    if (__builtin_expect(mer_recording, 0))
        mer_record_enter(place);
}
/* Begins a call of the function that this stands in. */
#define mer_record_begin() mer_record_begin_at(__builtin_return_address(0))

/* Ends the call: its kind, the other thread (the root of a collective), and the number of bytes, or for a
 * lock its number.  A put to the thread itself or a get from it counts as computing. */
static inline void mer_record_end(enum mer_record_kind kind, int other, uint64_t bytes) {
    if (__builtin_expect(mer_recording, 0))
        mer_record_leave(kind, other, bytes);
}

/* Start-up, before all threads have met: opens the file that MERIDIAN_RECORD names, if it names one, or in a
 * job on several hosts a file of this thread's own beside it.  Thread 0 writes the head.  A file that cannot
 * be opened is a fatal message.  Opens the profile too. */
void mer_record_open(int thread, int threads, bool several);
/* Start-up, last: begins to record. */
void mer_record_start(void);
/* The end of the thread, after the last barrier: writes the records that are left, and the end mark. */
void mer_record_finish(void);
/* The end of a thread whose status is not 0: its trace stays incomplete, its profile is written. */
void mer_record_abandon(void);

#endif
