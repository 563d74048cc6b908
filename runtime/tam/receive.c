/* Messages from other processors (send.h).
 *
 * Each is one request; a fetch whose element is full is answered by the request's reply.  A handler acts as
 * the owner does for itself, and leaves further messages to the scheduler (tam_item_leave).
 */
#include "tam/receive.h"

#include "tam/activation.h"
#include "tam/apply.h"
#include "tam/count.h"
#include "tam/heap.h"
#include "tam/item.h"
#include "tam/memory.h"
#include "tam/send.h"
#include "tam/share.h"

/* ---- values and elements ------------------------------------------------------------------------------- */

static void on_value(struct mer_am_message *m) {
    tam.messages.received++;
    tam_arrive((struct tam_frame *)(uintptr_t)(m->args[0] & MER_ADDR_MASK), (unsigned)m->args[1], m->args[2]);
}

static void on_fetch(struct mer_am_message *m) {
    int64_t index[3] = {0, 0, 0};
    for (int n = 3; n < m->nargs; n++)
        index[n - 3] = (int64_t)m->args[n];
    tam_word p = m->args[2];
    tam.messages.received++;
    tam_element_read(m->args[0], tam_access_inlet(p), m->args[1], tam_access_mode(p), tam_access_dims(p),
                     index, tam_access_site(p), m);
}

static void on_store(struct mer_am_message *m) {
    int64_t index[3] = {(int64_t)m->args[3], (int64_t)m->args[4], (int64_t)m->args[5]};
    tam_word p = m->args[2];
    tam.messages.received++;
    tam_element_write(m->args[0], tam_access_mode(p), tam_access_dims(p), index, m->args[1],
                      tam_access_site(p));
    if (m->args[6]) {
        tam.messages.sent++;
        MER_AM_REPLY(m, tam.messages.h_stored, m->args[6]);
    }
}

/* Notes the end of a store that a join counts. */
static void on_stored(struct mer_am_message *m) {
    tam.messages.received++;
    tam_join_end((struct tam_join *)(uintptr_t)m->args[0]);
}

/* ---- activations --------------------------------------------------------------------------------------- */

static void on_done(struct mer_am_message *m) {
    tam.messages.received++;
    tam_join_end((struct tam_join *)(uintptr_t)m->args[0]);
}

/* Makes a join on this processor that tells the sender's. */
static struct tam_join *join_for(const struct mer_am_message *m, const struct tam_call *call) {
    if (!call->join)
        return NULL;
    struct tam_join *join = tam_join_new(NULL, 0);
    join->parent_processor = m->source;
    join->parent = (struct tam_join *)(uintptr_t)call->join;
    return join;
}

static void read_late(struct tam_item *item) {
    struct tam_frame *frame = item->data;
    unsigned param = (unsigned)item->words[1];
    int64_t index[3] = {param, 0, 0};
    tam_send_fetch((int)(item->words[0] >> 48), tam_frame_word(frame), param, item->words[0], TAM_I, 0, index,
                   frame->codeblock->site);
}

/* Applications that have come and not been done, and activations that were refused.  Their storage comes from
 * a pool, which grows by many at a time. */
#define KEPT 64
struct tam_kept {
    struct tam_kept *next;
    union {
        struct tam_call call;
        char bytes[sizeof(struct tam_call) + TAM_MOST_APPLIED * sizeof(tam_word)];
    } of;
};

static struct tam_kept *keep(const struct tam_call *call, size_t bytes) {
    if (bytes > sizeof tam.receive.spare->of)
        tam_fail(call->site, "a function that is a value has more than %d arguments", TAM_MOST_APPLIED);
    if (!tam.receive.spare) {
        struct tam_kept *more = tam_memory_allocate(KEPT * sizeof *more, call->site);
        for (unsigned n = 0; n < KEPT; n++) {
            more[n].next = tam.receive.spare;
            tam.receive.spare = &more[n];
        }
    }
    struct tam_kept *kept = tam.receive.spare;
    tam.receive.spare = kept->next;
    memcpy(&kept->of, call, bytes);
    return kept;
}

static void give_back(struct tam_kept *kept) {
    kept->next = tam.receive.spare;
    tam.receive.spare = kept;
}

/* Returns whether this processor refuses a dealt activation: if it has something to do and far more frames
 * than the sender had, so that calls do not gather where they take longest.  The handler sends the activation
 * back whole, and keeps nothing.  An idle processor refuses none: it has asked for work, and does not ask
 * again before it has had some. */
static bool is_refused(const struct mer_am_message *m, const struct tam_call *call) {
    return call->most && tam.finish.busy && tam.frames.live > call->most &&
           m->length <= sizeof tam.receive.spare->of;
}

static void on_invoke(struct mer_am_message *m) {
    const struct tam_call *call = m->payload;
    if (call->what >= tam.program->count)
        tam_fail(0, "a call from processor %d is of code-block %llu, but the program has %u", m->source,
                 (unsigned long long)call->what, tam.program->count);
    const struct tam_codeblock *codeblock = tam.program->codeblocks[call->what];
    tam.messages.received++;
    if (is_refused(m, call)) {
        tam.messages.sent++;
        TAM_NOTE(CALL_REFUSED);
        mer_am_reply_medium(m, tam.messages.h_refused, call, m->length, NULL, 0);
        return;
    }
    tam.messages.came[m->source]++;
    if (call->join)
        tam_share_note_giver(m->source);
    struct tam_join *join = join_for(m, call);
    struct tam_frame *frame = tam_activation_begin(join, codeblock, call->args, call->ret, call->inlet);
    for (unsigned p = 0; p < codeblock->params; p++)
        if (codeblock->is_late[p]) {
            struct tam_item *item = tam_item_leave(read_late);
            item->data = frame;
            item->words[0] = call->args[p];
            item->words[1] = p;
        }
    tam_activation_end_if_empty(frame);
    if (join)
        tam_join_end(join);
}

/* Sends a refused activation to the next processor or, when all others have refused it, begins it here.  The
 * join has counted the activation when it was first sent: each attempt counts it again, and ends the previous
 * count. */
static void deal_again(struct tam_item *item) {
    struct tam_kept *kept = item->data;
    struct tam_call *call = &kept->of.call;
    const struct tam_codeblock *codeblock = tam.program->codeblocks[call->what];
    struct tam_join *join = (struct tam_join *)(uintptr_t)call->join;
    uint32_t refusals = call->refusals + 1;
    if (refusals + 1 < (uint32_t)tam.processors) {
        int to = ((int)item->words[1] + 1) % tam.processors;
        to = to == tam.me ? (to + 1) % tam.processors : to;
        tam_send_dealt(to, join, codeblock, call->args, call->ret, call->inlet, refusals);
    } else {
        TAM_NOTE(CALL_LOCAL);
        tam_activation_end_if_empty(
            tam_activation_begin(join, codeblock, call->args, call->ret, call->inlet));
    }
    if (join)
        tam_join_end(join);
    give_back(kept);
}

static void on_refused(struct mer_am_message *m) {
    const struct tam_call *call = m->payload;
    struct tam_kept *kept = keep(call, m->length);
    tam.messages.received++;
    tam.messages.went[m->source]--; /* it was refused there */
    struct tam_item *item = tam_item_leave(deal_again);
    item->data = kept;
    item->words[0] = 0;
    item->words[1] = (tam_word)m->source;
    item->beside = kept->of.call.args;
    item->beside_count = call->count;
}

static void apply_item(struct tam_item *item) {
    struct tam_kept *kept = item->data;
    struct tam_call *call = &kept->of.call;
    struct tam_join *join = (struct tam_join *)(uintptr_t)call->join;
    tam_apply_here(join, call->ret, call->inlet, call->what, call->args, call->count, call->by_cell,
                   call->site);
    if (join)
        tam_join_end(join);
    give_back(kept);
}

/* An application may send, so the scheduler does it. */
static void on_apply(struct mer_am_message *m) {
    const struct tam_call *call = m->payload;
    struct tam_kept *kept = keep(call, m->length);
    tam.messages.received++;
    kept->of.call.join = (uint64_t)(uintptr_t)join_for(m, call);
    struct tam_item *item = tam_item_leave(apply_item);
    item->data = kept;
    item->words[0] = call->what;
    item->beside = kept->of.call.args;
    item->beside_count = call->count;
}

void tam_receive_register(void) {
    tam.messages.h_value = mer_am_register(on_value);
    tam.messages.h_value_reply = mer_am_register(on_value);
    tam.messages.h_fetch = mer_am_register(on_fetch);
    tam.messages.h_store = mer_am_register(on_store);
    tam.messages.h_stored = mer_am_register(on_stored);
    tam.messages.h_done = mer_am_register(on_done);
    tam.messages.h_invoke = mer_am_register(on_invoke);
    tam.messages.h_refused = mer_am_register(on_refused);
    tam.messages.h_apply = mer_am_register(on_apply);
}
