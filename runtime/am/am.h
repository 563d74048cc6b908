/* Active messages of the runtime itself: sending, waiting, and this process's end of the transport. */
#ifndef MER_AM_AM_H
#define MER_AM_AM_H

#include "am/handlers.h"
#include "transport/message.h"

#include <meridian/am.h>
#include <stdbool.h>
#include <stddef.h>

/* Send medium messages to threads of other hosts, like mer_am_request_medium and mer_am_reply_medium.  The
 * payload of `length' bytes lies in nparts <= MER_AM_PARTS parts, which may be reused on return. */
void mer_am_request_parts(int to, int handler, const struct iovec *parts, int nparts, size_t length,
                          const mer_u64 *args, int nargs);
void mer_am_reply_parts(struct mer_am_message *request, int handler, const struct iovec *parts, int nparts,
                        size_t length, const mer_u64 *args, int nargs);

/* Send a pair of words to a thread of another host, in a request that holds many pairs
 * (mer_transport_send_pair).  Returns false if the thread is on this host; then nothing has been sent. */
bool mer_am_pair(int to, enum mer_am_number number, mer_u64 first, mer_u64 second, int *counter);
/* Returns an address of local or remote memory with a tag, a number below 2^16, in the bits above it, as
 * compiled code makes it too (meridian/abi/rows.h). */
static inline mer_u64 mer_am_tagged(mer_u64 address, mer_u64 tag) { return mer_row_tagged(address, tag); }
static inline mer_u64 mer_am_tag(mer_u64 tagged) { return tagged >> MER_THREAD_SHIFT; }

/* Wait until a counter, which handlers lower, is 0. */
void mer_am_wait_counter(const int *counter);

/* Prepare the memory by which others send to this thread.  Start-up, before any thread of this host sends. */
void mer_am_open(void);
/* Receive messages from here on, in polls and in all waits; idempotent. */
void mer_am_start(void);
/* Choose whether a sender or a sleeping receiver executes the fence between them (transport/receive_ring.h);
 * until this call the sender does.  Start-up, once it is known whether there are more threads than cores. */
void mer_am_choose_fence(void);

/* ---- this process's end of the transport -------------------------------------------------------------- */

/* Let compiled code add pairs to its rows (meridian/abi/rows.h) from here on, unless calls are recorded. */
void mer_am_open_rows(void);
/* Open this process's end of the transport, give the others its address by `exchange' (boot/boot.h), and
 * start the progress thread.  Start-up of jobs on several hosts. */
void mer_am_transport_start(void (*exchange)(const void *mine, size_t n, void *all));
/* Call mer_transport_close and mer_transport_linger; on one host, do nothing. */
void mer_am_transport_stop(void);
void mer_am_transport_linger(void);

#endif
