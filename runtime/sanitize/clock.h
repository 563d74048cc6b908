/* Vector clocks: which accesses of other threads are known to be complete before this thread's next one.
 *
 * Each thread counts intervals of its program, from 1: its clock, which grows when another thread may learn
 * from it.  It has the clocks of the others up to which it has learned.  An access of thread u at clock c is
 * before this thread's next access if c <= mer_clock[u] here.  (FastTrack, Flanagan and Freund, PLDI 2009.)
 *
 * Threads learn by the barrier, and through sync objects: locks, strict objects, semaphores.  A sync
 * object is named by its address. */
#ifndef MER_SANITIZE_CLOCK_H
#define MER_SANITIZE_CLOCK_H

#include "sanitize/shadow.h"

#include <stdint.h>

/* The clocks up to which this thread has learned of all threads; its own entry is its clock.  After the
 * entries of all threads come those of their transfers under way, which are threads of their own: thread
 * mer_transfer_thread() has done the accesses of this thread's non-blocking transfers, one interval each. */
extern uint32_t mer_clock[MER_CELL_THREAD_MOST];
unsigned mer_transfer_thread(void);

/* This thread and its clock, as in a cell. */
extern uint64_t mer_clock_epoch;

/* Start-up, by the first thread of the host; then by each thread. */
void mer_clock_new(void);
void mer_clock_start(void);

/* Lets other threads learn all that this thread has done, through the sync object; and has this thread learn
 * all that they have released. */
void mer_clock_release(uint64_t object);
void mer_clock_acquire(uint64_t object);
/* The sync object is gone. */
void mer_clock_forget(uint64_t object);

/* A fence.  This thread learns by the relaxed atomic reads before it, and its relaxed atomic writes after it
 * release all that was before it. */
void mer_clock_fence(void);
/* A relaxed atomic write or read of an object (see the fence). */
void mer_clock_release_relaxed(uint64_t object);
void mer_clock_acquire_relaxed(uint64_t object);

/* A transfer begins: returns its interval.  It is complete: with it all that began before. */
uint32_t mer_clock_transfer_begin(void);
void mer_clock_transfer_end(uint32_t interval);

/* The barrier's two halves: before its notify, and after its wait. */
void mer_clock_notify(void);
void mer_clock_wait(void);
/* Both, around a barrier of this host's threads inside the collective call `name'. */
void mer_clock_all_sync(const char *name);

#endif
