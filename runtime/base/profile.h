/* The profile of a thread: what its calls of the runtime cost, by the place in the program that made them
 * (`meridian run --profile`, docs/profile.md).
 *
 * A place is the address that a call returns to.  It is there in any case, so that a program pays nothing for
 * it, and the debugger's line table, which is not loaded when the program runs, leads from it to the line:
 * `crates/profile` looks that up when the job has ended.
 *
 * The hooks are those of the recording (base/record.h).  Only the thread itself calls these functions. */
#ifndef MER_BASE_PROFILE_H
#define MER_BASE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Start-up, before all threads have met: makes the file FILE.THREAD if MERIDIAN_PROFILE_LINES names FILE.  A
 * file that cannot be made is a fatal message.  True: this thread keeps a profile. */
bool mer_profile_open(int thread, int threads);
/* Start-up, last: what follows is counted.  now: of CLOCK_MONOTONIC, in nanoseconds, here and below. */
void mer_profile_start(uint64_t now);
/* A call has ended: where it returns to, what it was (enum mer_record_kind), with which thread, how many
 * bytes, when it began and ended. */
void mer_profile_add(const void *place, uint32_t kind, int other, uint64_t bytes, uint64_t began,
                     uint64_t ended);
/* What else belongs into the profile: `write' is called once, at the end of the thread, and appends it to the
 * file; start: when the profile began, of the clock above.  False: this thread keeps no profile. */
bool mer_profile_attach(void (*write)(FILE *to, uint64_t start));
/* The end of the thread: writes the file. */
void mer_profile_finish(uint64_t now);

#endif
