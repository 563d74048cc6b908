/* Writes, updates and one-way calls of remote memory, which are complete at a fence. */
#ifndef MER_RMA_WRITE_H
#define MER_RMA_WRITE_H

#include "am/call.h"
#include "am/handlers.h"

#include <meridian/abi/abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void mer_write_handlers(void);

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

#endif
