#include "tam/activation.h"

#include "tam/count.h"
#include "tam/frame.h"
#include "tam/item.h"
#include "tam/queue.h"
#include "tam/send.h"

#include <stdlib.h>

/* ---- posts and arrivals -------------------------------------------------------------------------------- */

/* Pushes the targets of an arrival that wait for nothing else. */
static inline void push_targets(struct tam_frame *frame, const struct tam_codeblock *codeblock,
                                const struct tam_inlet *inlet) {
    /* The last is pushed first, so that threads run in the order of the program. */
    const struct tam_target *first = codeblock->targets + inlet->first, *target = first + inlet->count;
    unsigned top = frame->top;
    while (target-- != first)
        if (target->counter == TAM_NONE || --frame->c[target->counter] == 0)
            frame->rcv[top++] = target->thread;
    frame->top = (uint16_t)top;
}

/* Posts the targets of an arrival, on a frame of this processor in any state. */
static void post(struct tam_frame *frame, const struct tam_inlet *inlet) {
    if (__builtin_expect(tam.count.on, 0))
        tam_count_post(frame, inlet);
    push_targets(frame, frame->codeblock, inlet);
    if (frame->state == TAM_IDLE && frame->top > 0)
        tam_queue_add(frame);
}

/* Takes a value that arrives at an inlet.  Includes the work of `post': most posts are of this kind. */
static inline void arrive(struct tam_frame *frame, unsigned number, tam_word value) {
    const struct tam_codeblock *codeblock = frame->codeblock;
    const struct tam_inlet *inlet = &codeblock->inlets[number];
    if (inlet->slot != TAM_NONE)
        frame->s[inlet->slot] = value;
    frame->outstanding--;
    push_targets(frame, codeblock, inlet);
    if (__builtin_expect(frame->state != TAM_IDLE, 1))
        return;
    if (frame->top > 0)
        tam_queue_add(frame);
    else if (frame->outstanding == 0)
        tam_activation_end(frame);
}

/* Does `arrive' and counts for a profile.  A function of its own, so that the path without a profile saves no
 * registers. */
__attribute__((noinline, cold)) static void arrive_counted(struct tam_frame *frame, unsigned number,
                                                           tam_word value) {
    tam_registers.counts[TAM_N_RECEIVE]++;
    tam_count_post(frame, &frame->codeblock->inlets[number]);
    arrive(frame, number, value);
}

void tam_arrive(struct tam_frame *frame, unsigned number, tam_word value) {
    if (__builtin_expect(tam.count.on, 0))
        arrive_counted(frame, number, value);
    else
        arrive(frame, number, value);
}

void tam_send(tam_word word, unsigned inlet, tam_word value) {
    struct tam_frame *frame = (struct tam_frame *)(uintptr_t)(word & MER_ADDR_MASK);
    if (__builtin_expect(!frame, 0))
        return;
    if (!tam_is_here(word))
        tam_send_value(word, inlet, value);
    else if (__builtin_expect(tam.count.on, 0)) {
        tam_registers.counts[TAM_N_VALUE_LOCAL]++;
        arrive_counted(frame, inlet, value);
    } else
        arrive(frame, inlet, value);
}

unsigned tam_take(struct tam_frame *frame, uint16_t *lcv) {
    unsigned n = frame->top;
    memcpy(lcv, frame->rcv, n * sizeof *lcv);
    frame->top = 0;
    return n;
}

/* ---- beginnings and ends ------------------------------------------------------------------------------- */

struct tam_frame *tam_activation_begin(struct tam_join *join, const struct tam_codeblock *codeblock,
                                       const tam_word *args, tam_word ret, unsigned inlet) {
    struct tam_frame *frame = tam_frame_new(codeblock);
    if (__builtin_expect(tam.count.on, 0))
        tam_count_activation(codeblock);
    frame->join = join;
    if (join)
        join->count++;
    frame->ret = ret;
    frame->ret_inlet = (uint16_t)inlet;
    memcpy(frame->s, args, codeblock->params * sizeof(tam_word));
    /* Stale words in the storage must not keep objects. */
    memset(frame->s + codeblock->params, 0, (codeblock->slots - codeblock->params) * sizeof(tam_word));
    post(frame, &codeblock->entry);
    return frame;
}

void tam_activation_end_if_empty(struct tam_frame *frame) {
    if (frame->state == TAM_IDLE && frame->outstanding == 0)
        tam_activation_end(frame);
}

void tam_activation_end(struct tam_frame *frame) {
    struct tam_join *join = frame->join;
    tam_frame_free(frame);
    if (join)
        tam_join_end(join);
}

/* ---- joins --------------------------------------------------------------------------------------------- */

/* Makes a join, whose one count is the caller's until tam_join_end. */
struct tam_join *tam_join_new(struct tam_frame *frame, unsigned inlet) {
    struct tam_join *join = calloc(1, sizeof *join);
    if (!join)
        tam_fail(0, "there is no memory left");
    join->count = 1;
    join->frame = frame;
    join->inlet = (uint16_t)inlet;
    return join;
}

static void send_done(struct tam_item *item) {
    tam_send_done((int)item->words[0], (struct tam_join *)item->data);
}

/* Notes the end of something that the join counts.  May run in a handler: a message to send is left to the
 * scheduler. */
void tam_join_end(struct tam_join *join) {
    if (--join->count)
        return;
    if (join->given) {
        struct tam_join *parent = join->parent;
        free(join);
        tam_registers.given--;
        if (parent)
            tam_join_end(parent);
        return;
    }
    if (join->frame)
        tam_arrive(join->frame, join->inlet, 1);
    else {
        struct tam_item *item = tam_item_leave(send_done);
        item->words[0] = (tam_word)join->parent_processor;
        item->data = join->parent;
    }
    free(join);
}
