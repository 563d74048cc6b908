#include "tam/send.h"

#include "base/wrap.h"
#include "tam/count.h"

#include <stdlib.h>

void tam_send_start(void) {
    tam.messages.went = calloc((size_t)tam.processors, sizeof *tam.messages.went);
    tam.messages.came = calloc((size_t)tam.processors, sizeof *tam.messages.came);
    if (!tam.messages.went || !tam.messages.came)
        tam_fail(0, "there is no memory left");
    for (int p = 0; p < tam.processors; p++)
        tam.messages.went[p] = tam.messages.came[p] = mer_wrap_start;
}

/* ---- values and elements ------------------------------------------------------------------------------- */

void tam_send_value(tam_word frame, unsigned inlet, tam_word value) {
    tam_export(value);
    tam.messages.sent++;
    TAM_NOTE(VALUE_REMOTE);
    MER_AM_REQUEST((int)(frame >> 48), tam.messages.h_value, frame, inlet, value);
}

void tam_reply_value(struct mer_am_message *request, tam_word frame, unsigned inlet, tam_word value) {
    tam_export(value);
    tam.messages.sent++;
    TAM_NOTE(VALUE_REMOTE);
    MER_AM_REPLY(request, tam.messages.h_value_reply, frame, inlet, value);
}

void tam_send_fetch(int to, tam_word frame, unsigned inlet, tam_word object, enum tam_mode mode,
                    unsigned dims, const int64_t *index, uint32_t site) {
    tam.messages.sent++;
    TAM_NOTE(FETCH_REMOTE);
    /* As few words as are needed: most reads are of fields and vectors. */
    const mer_u64 words[] = {frame,
                             object,
                             tam_access(mode, dims, inlet, site),
                             (mer_u64)index[0],
                             (mer_u64)index[1],
                             (mer_u64)index[2]};
    mer_am_request(to, tam.messages.h_fetch, words, dims > 1 ? 3 + (int)dims : 4);
}

void tam_send_store(int to, tam_word object, enum tam_mode mode, unsigned dims, const int64_t *index,
                    tam_word value, struct tam_join *join, uint32_t site) {
    if (join)
        join->count++;
    tam_export(value);
    tam.messages.sent++;
    TAM_NOTE(STORE_REMOTE);
    MER_AM_REQUEST(to, tam.messages.h_store, object, value, tam_access(mode, dims, 0, site),
                   (mer_u64)index[0], (mer_u64)index[1], (mer_u64)index[2], (mer_u64)(uintptr_t)join);
}

/* ---- activations --------------------------------------------------------------------------------------- */

void tam_send_done(int to, struct tam_join *join) {
    tam.messages.sent++;
    MER_AM_REQUEST(to, tam.messages.h_done, (mer_u64)(uintptr_t)join);
}

static struct tam_call *call_new(unsigned count, size_t *bytes, struct tam_join *join, tam_word ret,
                                 unsigned inlet) {
    static union {
        struct tam_call call;
        char bytes[MER_AM_MEDIUM];
    } buffer;
    *bytes = sizeof(struct tam_call) + count * sizeof(tam_word);
    if (*bytes > sizeof buffer)
        tam_fail(0, "a call has more than %zu arguments",
                 (sizeof buffer - sizeof(struct tam_call)) / sizeof(tam_word));
    if (join)
        join->count++;
    buffer.call.ret = ret;
    buffer.call.inlet = inlet;
    buffer.call.count = count;
    buffer.call.join = (uint64_t)(uintptr_t)join;
    buffer.call.refusals = 0;
    buffer.call.most = 0;
    return &buffer.call;
}

static void give_args(struct tam_call *call, const tam_word *args, unsigned count) {
    for (unsigned n = 0; n < count; n++) {
        tam_export(args[n]);
        call->args[n] = args[n];
    }
}

static void invoke(int to, struct tam_join *join, const struct tam_codeblock *codeblock, const tam_word *args,
                   tam_word ret, unsigned inlet, uint32_t refusals, uint64_t most) {
    size_t bytes;
    struct tam_call *call = call_new(codeblock->params, &bytes, join, ret, inlet);
    call->what = codeblock->number;
    call->refusals = refusals;
    call->most = most;
    give_args(call, args, codeblock->params);
    tam.messages.sent++;
    tam.messages.went[to]++;
    mer_am_request_medium(to, tam.messages.h_invoke, call, bytes, NULL, 0);
}

void tam_send_invoke(int to, struct tam_join *join, const struct tam_codeblock *codeblock,
                     const tam_word *args, tam_word ret, unsigned inlet) {
    invoke(to, join, codeblock, args, ret, inlet, 0, 0);
}

/* The number of frames beyond which a processor refuses a dealt activation: twice the sender's, and some. */
static uint64_t most_frames(void) { return 2 * tam.frames.live + (tam.order.state ? 2 : 64); }

void tam_send_dealt(int to, struct tam_join *join, const struct tam_codeblock *codeblock,
                    const tam_word *args, tam_word ret, unsigned inlet, uint32_t refusals) {
    invoke(to, join, codeblock, args, ret, inlet, refusals, most_frames());
}

void tam_send_apply(int to, struct tam_join *join, tam_word ret, unsigned inlet, tam_word closure,
                    const tam_word *args, unsigned count, tam_word by_cell, uint32_t site) {
    size_t bytes;
    struct tam_call *call = call_new(count, &bytes, join, ret, inlet);
    call->what = closure;
    call->by_cell = by_cell;
    call->site = site;
    give_args(call, args, count);
    tam.messages.sent++;
    mer_am_request_medium(to, tam.messages.h_apply, call, bytes, NULL, 0);
}
