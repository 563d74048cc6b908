#include "tam/queue.h"

#include "tam/order.h"

static void count_ready(struct tam_frame *frame) {
    frame->state = TAM_READY;
    frame->since = tam.quanta.count;
    tam.queue.ready++;
}

static void link_last(struct tam_frame *frame) {
    frame->next = NULL;
    frame->previous = tam.queue.tail;
    tam.queue.tail->next = frame;
    tam.queue.tail = frame;
}

/* Activations that C functions leave when they end before their time run in the functions' order, the
 * innermost first: the outer ones may need its results. */
static void link_behind(struct tam_frame *frame, struct tam_frame *other) {
    frame->previous = other;
    frame->next = other->next;
    if (other->next)
        other->next->previous = frame;
    else
        tam.queue.tail = frame;
    other->next = frame;
}

void tam_queue_add(struct tam_frame *frame) {
    count_ready(frame);
    frame->spare = tam.queue.exposing == TAM_ALL ||
                   (tam.queue.exposing == TAM_FORKS_ONLY && (frame->codeblock->shares & TAM_FORKS));
    if (tam.queue.exposing && tam.queue.tail) {
        link_last(frame);
        return;
    }
    if (tam.order.state && tam.queue.tail && tam_order_random() % 2) {
        link_last(frame);
        return;
    }
    bool ordered = tam.quanta.ending || (tam_registers.spread && !tam.dealing.on);
    if (ordered && tam.queue.unwound) {
        link_behind(frame, tam.queue.unwound);
        tam.queue.unwound = frame;
        return;
    }
    if (ordered)
        tam.queue.unwound = frame;
    frame->previous = NULL;
    frame->next = tam.queue.head;
    if (tam.queue.head)
        tam.queue.head->previous = frame;
    else
        tam.queue.tail = frame;
    tam.queue.head = frame;
}

void tam_queue_add_last(struct tam_frame *frame) {
    count_ready(frame);
    link_last(frame);
}
