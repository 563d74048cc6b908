#include "tam/quantum.h"

#include "tam/activation.h"
#include "tam/count.h"
#include "tam/order.h"
#include "tam/queue.h"

#define MANY_READY 4096 /* ready frames; beyond, a loop that yields waits for them */

/* The frame's quantum ends; the scheduler finds the frame enabled and makes it ready. */
void tam_yield(struct tam_frame *frame) {
    const struct tam_inlet *entry = &frame->codeblock->entry;
    const struct tam_target *target = frame->codeblock->targets + entry->first;
    for (unsigned n = entry->count; n > 0; n--, target++)
        frame->rcv[frame->top++] = target->thread;
}

/* Sets the fuel of a quantum that begins. */
static void begin_slice(void) {
    tam.quanta.ending = false;
    tam_registers.spread = tam.dealing.on || tam.queue.exposing;
    tam_registers.fuel = tam_slice();
    if (tam.order.state) {
        tam_registers.fuel = tam_order_random() % 64;
        tam_registers.spread |= tam_order_random() % 4 == 0;
    }
}

void tam_quantum_run(struct tam_frame *frame) {
    tam_queue_remove(frame);
    frame->state = TAM_RUNNING;
    frame->begun = 1;
    tam.quanta.count++;
    begin_slice();
    if (__builtin_expect(tam.count.on, 0)) {
        struct tam_quantum_start start = tam_count_quantum();
        frame->codeblock->run(frame);
        tam_count_quantum_end(frame->codeblock, start);
    } else
        frame->codeblock->run(frame);
    frame->state = TAM_IDLE;
    if (frame->top > 0 && tam.queue.ready > MANY_READY) {
        /* A loop has begun so many activations that these go first: unfolding has a bound, and no ready
         * activation waits for the loop. */
        tam_queue_add_last(frame);
    } else if (frame->top > 0)
        tam_queue_add(frame);
    else if (frame->outstanding == 0)
        tam_activation_end(frame);
    tam.quanta.ending = false;
    tam_registers.spread = tam.dealing.on;
    tam.queue.unwound = NULL;
}
