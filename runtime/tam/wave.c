#include "tam/wave.h"

#include "tam/order.h"

void tam_wave_reply(struct mer_am_message *question, struct tam_counts mine) {
    MER_AM_REPLY(question, tam.wave.h_counts, mine.sent, mine.received, mine.busy, mine.waiting, mine.frames);
    tam_order_dally();
}

static void on_counts(struct mer_am_message *m) {
    tam.wave.sum.sent += m->args[0];
    tam.wave.sum.received += m->args[1];
    tam.wave.sum.busy |= m->args[2] != 0;
    tam.wave.sum.waiting += m->args[3];
    tam.wave.sum.frames += m->args[4];
    tam.wave.answers++;
}

/* This processor is checked last, because the others' answers can make it busy. */
struct tam_counts tam_wave_ask(struct tam_question question) {
    tam.wave.sum = question.answer(question.state, question.collection);
    tam.wave.sum.busy = false;
    tam.wave.answers = 0;
    for (int p = 1; p < tam.processors; p++)
        MER_AM_REQUEST(p, question.handler, question.state, question.collection);
    MER_AM_WAIT_UNTIL(tam.wave.answers == tam.processors - 1);
    tam.wave.sum.busy |= question.answer(question.state, question.collection).busy;
    return tam.wave.sum;
}

bool tam_wave_quiet(struct tam_question question, struct tam_counts *after) {
    struct tam_counts first = tam_wave_ask(question);
    if (first.busy || first.sent != first.received)
        return false;
    *after = tam_wave_ask(question);
    return !after->busy && after->sent == first.sent && after->received == first.received;
}

void tam_wave_register(void) { tam.wave.h_counts = mer_am_register(on_counts); }
