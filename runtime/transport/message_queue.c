/* See message_queue.h. */
#include "transport/message_queue.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

struct mer_queued_message *mer_message_queue_allocate(size_t payload) {
    size_t bytes = sizeof(struct mer_queued_message) + payload;
    struct mer_queued_message *d = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!d)
        mer_fatal("no memory for a message of %zu bytes", bytes);
    return d;
}

struct mer_queued_message *mer_message_queue_copy(const struct mer_am_message *m, int handler, bool medium) {
    struct mer_queued_message *d = mer_message_queue_allocate(medium ? m->length : 0);
    *d = (struct mer_queued_message){.source = m->source,
                                     .handler = handler,
                                     .nargs = m->nargs,
                                     .request = m->request,
                                     .payload = m->payload,
                                     .length = m->length};
    memcpy(d->args, m->args, (size_t)m->nargs * sizeof *m->args);
    if (medium)
        d->payload = memcpy(d->bytes, m->payload, m->length);
    return d;
}

void mer_message_queue_add(struct mer_message_queue *q, struct mer_queued_message *d) {
    d->next = NULL;
    if (q->first)
        q->last->next = d;
    else
        q->first = d;
    q->last = d;
    /* Release, partner: mer_message_queue_count. */
    __atomic_fetch_add(&q->count, 1, __ATOMIC_RELEASE);
}

struct mer_queued_message *mer_message_queue_take(struct mer_message_queue *q) {
    struct mer_queued_message *d = q->first;
    if (d) {
        q->first = d->next;
        __atomic_fetch_sub(&q->count, 1, __ATOMIC_RELAXED);
    }
    return d;
}
