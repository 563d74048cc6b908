/* Messages between processors, over active messages.
 *
 * Each is one request; a fetch whose element is full is answered by the request's reply.  A handler acts as
 * the owner does for itself, and leaves further messages to the scheduler (tam_leave).  All messages except
 * those that ask for work (share.c) are counted, sent and received, so that the end can be found (finish.c).
 */
#include "tam/count.h"
#include "tam/machine.h"

static int h_value, h_value_reply, h_fetch, h_store, h_stored, h_done, h_invoke, h_refused, h_apply;

/* Mode, dimensions, inlet and site of an access in one word. */
static tam_word packed(enum tam_mode mode, unsigned dims, unsigned inlet, uint32_t site) {
    return (tam_word)mode | (tam_word)dims << 4 | (tam_word)inlet << 8 | (tam_word)site << 32;
}
static enum tam_mode mode_of(tam_word p) { return (enum tam_mode)(p & 15); }
static unsigned dims_of(tam_word p) { return p >> 4 & 15; }
static unsigned inlet_of(tam_word p) { return (unsigned)(p >> 8 & 0xffff); }
static uint32_t site_of(tam_word p) { return (uint32_t)(p >> 32); }

/* ---- values -------------------------------------------------------------------------------------------- */

static void on_value(struct mer_am_message *m) {
    tam.received++;
    tam_arrive((struct tam_frame *)(uintptr_t)(m->args[0] & MER_ADDR_MASK), (unsigned)m->args[1], m->args[2]);
}

void tam_send_value(tam_word frame, unsigned inlet, tam_word value) {
    tam_export(value);
    tam.sent++;
    TAM_NOTE(VALUE_REMOTE);
    MER_AM_REQUEST((int)(frame >> 48), h_value, frame, inlet, value);
}

void tam_reply_value(struct mer_am_message *request, tam_word frame, unsigned inlet, tam_word value) {
    tam_export(value);
    tam.sent++;
    TAM_NOTE(VALUE_REMOTE);
    MER_AM_REPLY(request, h_value_reply, frame, inlet, value);
}

/* ---- the heap ------------------------------------------------------------------------------------------ */

static void on_fetch(struct mer_am_message *m) {
    int64_t index[3] = {0, 0, 0};
    for (int n = 3; n < m->nargs; n++)
        index[n - 3] = (int64_t)m->args[n];
    tam_word p = m->args[2];
    tam.received++;
    tam_read(m->args[0], inlet_of(p), m->args[1], mode_of(p), dims_of(p), index, site_of(p), m);
}

void tam_send_fetch(int to, tam_word frame, unsigned inlet, tam_word object, enum tam_mode mode,
                    unsigned dims, const int64_t *index, uint32_t site) {
    tam.sent++;
    TAM_NOTE(FETCH_REMOTE);
    /* As few words as are needed: most reads are of fields and vectors. */
    const mer_u64 words[] = {frame,
                             object,
                             packed(mode, dims, inlet, site),
                             (mer_u64)index[0],
                             (mer_u64)index[1],
                             (mer_u64)index[2]};
    mer_am_request(to, h_fetch, words, dims > 1 ? 3 + (int)dims : 4);
}

static void on_store(struct mer_am_message *m) {
    int64_t index[3] = {(int64_t)m->args[3], (int64_t)m->args[4], (int64_t)m->args[5]};
    tam_word p = m->args[2];
    tam.received++;
    tam_write(m->args[0], mode_of(p), dims_of(p), index, m->args[1], site_of(p));
    if (m->args[6]) {
        tam.sent++;
        MER_AM_REPLY(m, h_stored, m->args[6]);
    }
}

/* Notes the end of a store that a join counts. */
static void on_stored(struct mer_am_message *m) {
    tam.received++;
    tam_join_end((struct tam_join *)(uintptr_t)m->args[0]);
}

void tam_send_store(int to, tam_word object, enum tam_mode mode, unsigned dims, const int64_t *index,
                    tam_word value, struct tam_join *join, uint32_t site) {
    if (join)
        join->count++;
    tam_export(value);
    tam.sent++;
    TAM_NOTE(STORE_REMOTE);
    MER_AM_REQUEST(to, h_store, object, value, packed(mode, dims, 0, site), (mer_u64)index[0],
                   (mer_u64)index[1], (mer_u64)index[2], (mer_u64)(uintptr_t)join);
}

/* ---- activations --------------------------------------------------------------------------------------- */

static void on_done(struct mer_am_message *m) {
    tam.received++;
    tam_join_end((struct tam_join *)(uintptr_t)m->args[0]);
}

void tam_send_done(int to, struct tam_join *join) {
    tam.sent++;
    MER_AM_REQUEST(to, h_done, (mer_u64)(uintptr_t)join);
}

/* The payload of a call or an application.  `what` is the number of a code-block, or a closure. */
struct call {
    tam_word ret, what, by_cell;
    uint64_t join; /* the sender's */
    uint32_t inlet, count, site;
    uint32_t refusals; /* of an activation that is dealt out: how many processors have refused it */
    uint64_t most;     /* likewise: a processor with more frames may refuse it; if 0, none may */
    tam_word args[];
};

static struct call *call_new(unsigned count, size_t *bytes, struct tam_join *join, tam_word ret,
                             unsigned inlet) {
    static union {
        struct call call;
        char bytes[MER_AM_MEDIUM];
    } buffer;
    *bytes = sizeof(struct call) + count * sizeof(tam_word);
    if (*bytes > sizeof buffer)
        tam_fail(0, "a call has more than %zu arguments",
                 (sizeof buffer - sizeof(struct call)) / sizeof(tam_word));
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

static void give_args(struct call *call, const tam_word *args, unsigned count) {
    for (unsigned n = 0; n < count; n++) {
        tam_export(args[n]);
        call->args[n] = args[n];
    }
}

/* Makes a join on this processor that tells the sender's. */
static struct tam_join *join_for(const struct mer_am_message *m, const struct call *call) {
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
struct kept {
    struct kept *next;
    union {
        struct call call;
        char bytes[sizeof(struct call) + TAM_MOST_APPLIED * sizeof(tam_word)];
    } of;
};
static struct kept *unused;

static struct kept *keep(const struct call *call, size_t bytes) {
    if (bytes > sizeof unused->of)
        tam_fail(call->site, "a function that is a value has more than %d arguments", TAM_MOST_APPLIED);
    if (!unused) {
        struct kept *more = tam_allocate(KEPT * sizeof *more, call->site);
        for (unsigned n = 0; n < KEPT; n++) {
            more[n].next = unused;
            unused = &more[n];
        }
    }
    struct kept *kept = unused;
    unused = kept->next;
    memcpy(&kept->of, call, bytes);
    return kept;
}

static void give_back(struct kept *kept) {
    kept->next = unused;
    unused = kept;
}

/* Returns whether this processor refuses a dealt activation: if it has something to do and far more frames
 * than the sender had, so that calls do not gather where they take longest.  The handler sends the activation
 * back whole, and keeps nothing.  An idle processor refuses none: it has asked for work, and does not ask
 * again before it has had some. */
static bool is_refused(const struct mer_am_message *m, const struct call *call) {
    return call->most && tam.busy && tam.frames > call->most && m->length <= sizeof unused->of;
}

static void on_invoke(struct mer_am_message *m) {
    const struct call *call = m->payload;
    if (call->what >= tam.program->count)
        tam_fail(0, "a call from processor %d is of code-block %llu, but the program has %u", m->source,
                 (unsigned long long)call->what, tam.program->count);
    const struct tam_codeblock *codeblock = tam.program->codeblocks[call->what];
    tam.received++;
    if (is_refused(m, call)) {
        tam.sent++;
        TAM_NOTE(CALL_REFUSED);
        mer_am_reply_medium(m, h_refused, call, m->length, NULL, 0);
        return;
    }
    tam_note_came(m->source);
    if (call->join)
        tam_note_giver(m->source);
    struct tam_join *join = join_for(m, call);
    struct tam_frame *frame = tam_begin(join, codeblock, call->args, call->ret, call->inlet);
    for (unsigned p = 0; p < codeblock->params; p++)
        if (codeblock->is_late[p]) {
            struct tam_item *item = tam_leave(read_late);
            item->data = frame;
            item->words[0] = call->args[p];
            item->words[1] = p;
        }
    tam_end_if_empty(frame);
    if (join)
        tam_join_end(join);
}

static void invoke(int to, struct tam_join *join, const struct tam_codeblock *codeblock, const tam_word *args,
                   tam_word ret, unsigned inlet, uint32_t refusals, uint64_t most) {
    size_t bytes;
    struct call *call = call_new(codeblock->params, &bytes, join, ret, inlet);
    call->what = codeblock->number;
    call->refusals = refusals;
    call->most = most;
    give_args(call, args, codeblock->params);
    tam.sent++;
    tam_note_went(to);
    mer_am_request_medium(to, h_invoke, call, bytes, NULL, 0);
}

void tam_send_invoke(int to, struct tam_join *join, const struct tam_codeblock *codeblock,
                     const tam_word *args, tam_word ret, unsigned inlet) {
    invoke(to, join, codeblock, args, ret, inlet, 0, 0);
}

/* The number of frames beyond which a processor refuses a dealt activation: twice the sender's, and some. */
static uint64_t most_frames(void) { return 2 * tam.frames + (tam.order ? 2 : 64); }

void tam_deal(int to, struct tam_join *join, const struct tam_codeblock *codeblock, const tam_word *args,
              tam_word ret, unsigned inlet) {
    invoke(to, join, codeblock, args, ret, inlet, 0, most_frames());
}

/* Sends a refused activation to the next processor or, when all others have refused it, begins it here.  The
 * join has counted the activation when it was first sent: each attempt counts it again, and ends the previous
 * count. */
static void deal_again(struct tam_item *item) {
    struct kept *kept = item->data;
    struct call *call = &kept->of.call;
    const struct tam_codeblock *codeblock = tam.program->codeblocks[call->what];
    struct tam_join *join = (struct tam_join *)(uintptr_t)call->join;
    uint32_t refusals = call->refusals + 1;
    if (refusals + 1 < (uint32_t)tam.processors) {
        int to = ((int)item->words[1] + 1) % tam.processors;
        to = to == tam.me ? (to + 1) % tam.processors : to;
        invoke(to, join, codeblock, call->args, call->ret, call->inlet, refusals, most_frames());
    } else {
        TAM_NOTE(CALL_LOCAL);
        tam_end_if_empty(tam_begin(join, codeblock, call->args, call->ret, call->inlet));
    }
    if (join)
        tam_join_end(join);
    give_back(kept);
}

static void on_refused(struct mer_am_message *m) {
    const struct call *call = m->payload;
    struct kept *kept = keep(call, m->length);
    tam.received++;
    tam_note_returned(m->source);
    struct tam_item *item = tam_leave(deal_again);
    item->data = kept;
    item->words[0] = 0;
    item->words[1] = (tam_word)m->source;
    item->beside = kept->of.call.args;
    item->beside_count = call->count;
}

static void apply_item(struct tam_item *item) {
    struct kept *kept = item->data;
    struct call *call = &kept->of.call;
    struct tam_join *join = (struct tam_join *)(uintptr_t)call->join;
    tam_apply_here(join, call->ret, call->inlet, call->what, call->args, call->count, call->by_cell,
                   call->site);
    if (join)
        tam_join_end(join);
    give_back(kept);
}

/* An application may send, so the scheduler does it. */
static void on_apply(struct mer_am_message *m) {
    const struct call *call = m->payload;
    struct kept *kept = keep(call, m->length);
    tam.received++;
    kept->of.call.join = (uint64_t)(uintptr_t)join_for(m, call);
    struct tam_item *item = tam_leave(apply_item);
    item->data = kept;
    item->words[0] = call->what;
    item->beside = kept->of.call.args;
    item->beside_count = call->count;
}

void tam_send_apply(int to, struct tam_join *join, tam_word ret, unsigned inlet, tam_word closure,
                    const tam_word *args, unsigned count, tam_word by_cell, uint32_t site) {
    size_t bytes;
    struct call *call = call_new(count, &bytes, join, ret, inlet);
    call->what = closure;
    call->by_cell = by_cell;
    call->site = site;
    give_args(call, args, count);
    tam.sent++;
    mer_am_request_medium(to, h_apply, call, bytes, NULL, 0);
}

/* All processors register the same handlers in the same order. */
void tam_register(void) {
    h_value = mer_am_register(on_value);
    h_value_reply = mer_am_register(on_value);
    h_fetch = mer_am_register(on_fetch);
    h_store = mer_am_register(on_store);
    h_stored = mer_am_register(on_stored);
    h_done = mer_am_register(on_done);
    h_invoke = mer_am_register(on_invoke);
    h_refused = mer_am_register(on_refused);
    h_apply = mer_am_register(on_apply);
    tam_share_register();
}
