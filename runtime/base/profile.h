/* The profile of a thread: the costs of its calls of the runtime, by the place in the program that made them
 * (`meridian run --profile`, docs/profile.md).
 *
 * A place is the address that a call returns to.  The address is there in any case, so that a program pays
 * nothing for it.  The debugger's line table, which is not loaded when the program runs, leads from the
 * address to the line: `crates/profile` looks it up when the job has ended.
 *
 * The hooks are those of the recording (base/record.h).  Only the thread itself calls these functions. */
#ifndef MER_BASE_PROFILE_H
#define MER_BASE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Start-up, before all threads have met: makes the file FILE.THREAD if MERIDIAN_PROFILE_LINES names FILE.  A
 * file that cannot be made is a fatal message.  Returns true if this thread keeps a profile. */
bool mer_profile_open(int thread, int threads);
/* Start-up, last: begins to count.  `now' is a time of CLOCK_MONOTONIC in nanoseconds, here and below. */
void mer_profile_start(uint64_t now);
/* Adds a call that has ended: the address it returns to, its kind (enum mer_record_kind), the other thread,
 * the number of bytes, when it began and ended. */
void mer_profile_add(const void *place, uint32_t kind, int other, uint64_t bytes, uint64_t began,
                     uint64_t ended);
/* Registers `write', which is called once, at the end of the thread, and appends further contents to the
 * file.  `start' is when the profile began, of the clock above.  Returns false if this thread keeps no
 * profile. */
bool mer_profile_attach(void (*write)(FILE *to, uint64_t start));
/* The end of the thread: writes the file. */
void mer_profile_finish(uint64_t now);

#endif
