/* See message_queue.h. */
#include "transport/message_queue.h"

#include "base/fatal.h"

#include <stdlib.h>
#include <string.h>

void *mer_message_allocate(size_t bytes) {
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!memory)
        mer_fatal("no memory for messages (%zu bytes)", bytes);
    return memory;
}

struct mer_queued_message *mer_message_queue_copy(const struct mer_am_message *m, int handler, bool medium) {
    struct mer_queued_message *d = mer_message_allocate(sizeof *d + (medium ? m->length : 0));
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
