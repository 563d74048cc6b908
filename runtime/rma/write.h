/* Writes, updates and one-way calls of remote memory, which are complete at a fence. */
#ifndef MER_RMA_WRITE_H
#define MER_RMA_WRITE_H

#include "am/call.h"
#include "am/handlers.h"
#include "am/state.h"

#include <meridian/abi/abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void mer_write_handlers(void);

/* The writes of this thread for which the next fence waits. */
struct mer_writes {
    int counter;           /* puts and fills under way that are writes too: nobody waits for one alone */
    int *threads;          /* that were written to since the last fence */
    int count;             /* of `threads' */
    unsigned char *listed; /* by thread: true if `threads' contains it */
};
extern struct mer_writes mer_writes;

/* Records that a change of thread `to's memory has been requested: the next fence has to ask that thread.  In
 * other POSIX threads of the program, waits for the change. */
void mer_rma_changed_slow(int to);
static inline void mer_rma_changed(int to) {
    if (__builtin_expect(!mer_am_first_thread || !mer_writes.listed || !mer_writes.listed[to], 0))
        mer_rma_changed_slow(to);
}

/* Write n bytes; `from' may be reused at once.  A later message of this thread to that owner finds the bytes
 * written. */
void mer_rma_write(mer_u64 bits, const void *from, size_t n);
/* Write n > 0 bytes, and then post a number of an event (base/wait.h) in that thread's memory: a thread that
 * waits for the number finds the bytes written. */
void mer_rma_write_post(mer_u64 bits, const void *from, size_t n, mer_u64 event, uint32_t number);
/* Write n <= 8 bytes after all earlier writes of this thread; the write is complete on return. */
void mer_rma_write_strict(mer_u64 bits, mer_u64 value, size_t n);
/* Have the owner of bits update the object there, as mer_remote_accumulate (abi.h) says; ordered and
 * completed like mer_rma_write. */
void mer_rma_accumulate(mer_u64 bits, mer_u64 value, unsigned how);
/* Send a pair of words to a handler that changes memory by them (mer_am_pair); ordered and completed like
 * mer_rma_write.  Returns false if the thread is on this host; then nothing has been sent. */
bool mer_rma_change(int to, enum mer_am_number number, mer_u64 first, mer_u64 second);
/* A one-way call: have thread `to' run the service with n <= MER_AM_MEDIUM bytes of `in'; its answer is
 * dropped.  Ordered and completed like mer_rma_write. */
void mer_rma_call_one_way(int to, mer_am_service *service, const void *in, size_t n);
/* Wait until all writes and one-way calls of this thread are complete.  Returns false if none were under
 * way. */
bool mer_rma_complete(void);

#endif
