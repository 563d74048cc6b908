/* The ready queue: frames with enabled threads.
 *
 * The head runs next, so that an unfolding program goes down before it goes wide; other processors take new
 * activations from the tail, which are the oldest and so the largest. */
#ifndef MER_TAM_QUEUE_H
#define MER_TAM_QUEUE_H

#include "tam/machine.h"

/* Adds a frame, at the place that the order of the program or of the tests says. */
void tam_queue_add(struct tam_frame *frame);
/* Adds a frame at the tail. */
void tam_queue_add_last(struct tam_frame *frame);

static inline void tam_queue_remove(struct tam_frame *frame) {
    if (frame->previous)
        frame->previous->next = frame->next;
    else
        tam.queue.head = frame->next;
    if (frame->next)
        frame->next->previous = frame->previous;
    else
        tam.queue.tail = frame->previous;
    tam.queue.ready--;
}

#endif
