/* The deferred queue: messages from other hosts that only the thread itself may handle.  These are requests
 * to the program's handlers, replies that are not for memory handlers, and the completion of a put or a get
 * of the conduit.
 *
 * The thread runs them in its polls and waits, in the order in which they came.  A message is deferred if the
 * progress thread reads it, or if the thread reads it inside a handler.
 */
#ifndef MER_TRANSPORT_DEFERRED_H
#define MER_TRANSPORT_DEFERRED_H

#include "transport/handlers.h"
#include "transport/message_queue.h"

#include <stdint.h>

struct mer_transport;

/* The queue of an end.  Guarded by the end's lock, except that its length can be read without it. */
struct mer_deferred {
    struct mer_message_queue queue;
    bool wrote;         /* see mer_transport_wrote; the thread's own */
    const void *thread; /* the program's POSIX thread (mer_transport_self) */
};

/* Make the calling POSIX thread the one that runs deferred messages. */
void mer_deferred_start(struct mer_transport *end);

bool mer_deferred_is_thread(const struct mer_transport *end);

/* Returns true if the caller may run such a message now, in order.  Under the lock, like the next three. */
bool mer_deferred_turn(const struct mer_transport *end);
void mer_deferred_run(struct mer_transport *end, struct mer_am_message *m, int handler);
/* Defer a message.  medium: its payload is in the packet, and is copied.  cost: given back to the sender's
 * window when the message has been handled. */
void mer_deferred_add(struct mer_transport *end, const struct mer_am_message *m, bool medium, int handler,
                      uint32_t cost);
/* Lower the counter of a complete operation of the conduit, or defer that.  Returns 1 if it is lowered
 * now. */
int mer_deferred_done(struct mer_transport *end, int *counter);

/* Wake the thread if it sleeps: because a memory handler has run (unless it sleeps for messages alone), or
 * because there is a message for it.  Full fence before, partner: the exchange of the bell in base/wait.c,
 * after which the thread looks for messages once more. */
void mer_deferred_wake_served(void);
void mer_deferred_wake(void);

/* Run the deferred messages.  Returns their number.  The thread only, without the lock. */
int mer_deferred_run_all(struct mer_transport *end);

/* Record that the thread sends a request for this handler, unless it changes no memory of other hosts
 * (MER_HANDLER_READS). */
void mer_deferred_writes(struct mer_transport *end, int handler);

#endif
