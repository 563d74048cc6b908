/* Messages that wait until the thread itself runs them, in the order in which they came: the deferred queue
 * between hosts (transport/deferred.c) and, with MERIDIAN_REFERENCE=1, within a host (am/progress.c).
 *
 * The user of a queue guards it by a lock; only its length can be read without it.  An empty queue is all
 * zeros.
 */
#ifndef MER_TRANSPORT_MESSAGE_QUEUE_H
#define MER_TRANSPORT_MESSAGE_QUEUE_H

#include "transport/handlers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message that waits, on the heap.  The POSIX thread that takes it frees it. */
struct mer_queued_message {
    struct mer_queued_message *next;
    int source, handler, nargs;
    bool request;
    uint32_t cost; /* of its packet in the sender's window; between hosts */
    mer_u64 args[MER_AM_ARGS];
    void *payload; /* in `bytes', or where it has landed */
    size_t length;
    int *counter; /* of a completed operation of the conduit, instead of a message */
    _Alignas(64) unsigned char bytes[];
};

struct mer_message_queue {
    struct mer_queued_message *first, *last; /* last: undefined in an empty queue */
    uint32_t count;                          /* atomic; written under the lock */
};

/* Returns memory of this size for messages, not initialised, aligned to 64, to be freed.  Ends the job if
 * there is none. */
void *mer_message_allocate(size_t bytes);

/* Returns a copy of a message for this handler.  medium: its payload is in the packet or slot, and is copied
 * too. */
struct mer_queued_message *mer_message_queue_copy(const struct mer_am_message *m, int handler, bool medium);

/* Returns the message in the form that its handler takes; it points into the entry. */
static inline struct mer_am_message mer_queued_message(struct mer_queued_message *d) {
    return (struct mer_am_message){.source = d->source,
                                   .nargs = d->nargs,
                                   .args = d->args,
                                   .payload = d->payload,
                                   .length = d->length,
                                   .request = d->request};
}

/* Under the lock.  take returns the oldest message, or null. */
void mer_message_queue_add(struct mer_message_queue *q, struct mer_queued_message *d);
struct mer_queued_message *mer_message_queue_take(struct mer_message_queue *q);

/* Returns the number of waiting messages; without the lock.  Acquire, partner: mer_message_queue_add. */
static inline uint32_t mer_message_queue_count(const struct mer_message_queue *q) {
    return __atomic_load_n(&q->count, __ATOMIC_ACQUIRE);
}

#endif
