/* Calls (tam_invoke and tam_send_arg, meridian/abi/tam.h): the processor of an activation.
 *
 * An activation begins on the caller's processor, except that one with input or output runs on processor 0. 
 * In the tests activations are dealt out in turn (tam.dealing). */
#include "tam/activation.h"
#include "tam/count.h"
#include "tam/heap.h"
#include "tam/send.h"

tam_word tam_invoke(struct tam_join *join, const struct tam_codeblock *codeblock, const tam_word *args,
                    tam_word ret, unsigned inlet) {
    int to = tam.me;
    if (codeblock->io)
        to = 0;
    else if (tam.dealing.on && codeblock->late == 0)
        to = tam.dealing.turn = (tam.dealing.turn + 1) % tam.processors;
    if (to == tam.me) {
        TAM_NOTE(CALL_LOCAL);
        struct tam_frame *frame = tam_activation_begin(join, codeblock, args, ret, inlet);
        tam_activation_end_if_empty(frame);
        return (tam_word)(uintptr_t)frame;
    }
    TAM_NOTE(CALL_REMOTE);
    if (codeblock->late == 0) {
        if (codeblock->io)
            tam_send_invoke(to, join, codeblock, args, ret, inlet);
        else
            tam_send_dealt(to, join, codeblock, args, ret, inlet, 0);
        return 0;
    }
    /* Late parameters go by way of a cell on this processor, from which the activation reads them. */
    struct tam_object *cell = tam_cell(codeblock->params, codeblock->site);
    tam_word word = tam_object_word(cell, 0), all[codeblock->params];
    for (unsigned p = 0; p < codeblock->params; p++)
        all[p] = codeblock->is_late[p] ? word : args[p];
    tam_send_invoke(to, join, codeblock, all, ret, inlet);
    return word | 1;
}

void tam_send_arg(tam_word activation, const struct tam_codeblock *codeblock, unsigned param,
                  tam_word value) {
    if (activation & 1) {
        int64_t index[3] = {param, 0, 0};
        tam_element_write(activation & ~15ULL, TAM_I, 0, index, value, codeblock->site);
    } else {
        TAM_NOTE(VALUE_LOCAL);
        tam_arrive((struct tam_frame *)(uintptr_t)activation, param, value);
    }
}
