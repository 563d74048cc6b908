/* The deferred queue: messages from other hosts that only the thread itself may handle.  These are requests
 * to the program's handlers, replies that are not for memory handlers, and the completion of a put or a get
 * of the conduit.
 *
 * The thread runs them in its polls and waits, in the order in which they came.  One that the progress thread
 * reads, or that the thread reads inside of a handler, is deferred.
 */
#ifndef MER_TRANSPORT_DEFERRED_H
#define MER_TRANSPORT_DEFERRED_H

#include "transport/handlers.h"
#include "transport/message_queue.h"

#include <stdint.h>

struct mer_transport;

/* One end's queue; guarded by the end's lock, but that its length can be read without. */
struct mer_deferred {
    struct mer_message_queue queue;
    bool wrote;         /* see mer_transport_wrote; the thread's own */
    const void *thread; /* the POSIX thread that is the thread (mer_transport_self) */
};

/* The calling POSIX thread is the thread. */
void mer_deferred_start(struct mer_transport *end);

bool mer_deferred_is_thread(const struct mer_transport *end);

/* May the caller run such a message now, and be in order?  Under the lock, as the next three. */
bool mer_deferred_turn(const struct mer_transport *end);
void mer_deferred_run(struct mer_transport *end, struct mer_am_message *m, int handler);
/* Defer a message; medium: its payload lies in the packet, and is copied.  cost: given back to the sender's
 * window when the message has been handled. */
void mer_deferred_add(struct mer_transport *end, const struct mer_am_message *m, bool medium, int handler,
                      uint32_t cost);
/* An operation of the conduit is complete: lower its counter, or defer that.  1: lowered now. */
int mer_deferred_done(struct mer_transport *end, int *counter);

/* Wake the thread if it sleeps: a memory handler has run (unless it sleeps for messages alone), or there is a
 * message for it.  Full fence before, partner: the exchange of the bell in base/wait.c, behind which the
 * thread looks at what there is. */
void mer_deferred_wake_served(void);
void mer_deferred_wake(void);

/* Run what was deferred; how many.  The thread only, without the lock. */
int mer_deferred_run_all(struct mer_transport *end);

/* The thread sends a request for this handler: does it change what other hosts have? */
void mer_deferred_writes(struct mer_transport *end, int handler);

#endif
