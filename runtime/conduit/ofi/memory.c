/* put and get of the threads' memory by the network, directly from source to destination.
 *
 * A transfer is the work of one put or get.  It is cut into pieces of PIECE bytes at most.  Consecutive
 * pieces for one peer go in one operation of the network, as many as the provider accepts in one: an
 * operation costs the sender and the receiver some calls of the kernel, whatever its length.  So the last
 * operation waits for others to share it while the runtime says that they follow (end.more), until the next
 * poll at the latest.
 *
 * Few bytes are under way to a peer at a time, so that packets get their turn on a connection that carries
 * both.
 *
 * A put is complete when its bytes are visible in the peer's memory.  FI_DELIVERY_COMPLETE asks the provider
 * for that; the peer then sends an answer.  If writes to a peer take effect in the order in which they were
 * begun (FI_ORDER_WAW), one answer serves several operations: those without an answer are listed after the
 * answered operation and complete with it.  So an operation goes without answer only if another follows.  Its
 * own completion, which means only that it has left, has no context and is ignored.
 */
#include "conduit/ofi/ofi.h"

#define PIECE ((size_t)256 << 10)    /* bytes of an operation, and so of a piece, at most */
#define ANSWERED ((size_t)256 << 10) /* bytes of puts to a peer for each answer */
#define UNDER_WAY ((size_t)2 << 20)  /* most bytes under way to and from a peer */

/* ---- operations ---------------------------------------------------------------------------------------- */

static void give_up(struct ofi *ofi, struct ofi_rma *rma) {
    rma->next = ofi->free_rma;
    ofi->free_rma = rma;
}

/* Returns the next transfer for a peer, from t on, that has pieces to begin, or null. */
static struct ofi_transfer *next_for(struct ofi_transfer *t, int peer) {
    while (t && (t->peer != peer || t->begun == t->n))
        t = t->next;
    return t;
}

/* Put the next pieces for t's peer, from t on, into an operation.  Changes nothing except `rma'.  Returns
 * true if a transfer of the same kind follows, which may share the operation or be answered for it. */
static bool gather(const struct ofi *ofi, struct ofi_transfer *t, struct ofi_rma *rma) {
    rma->operation = (struct ofi_operation){.kind = OFI_MEMORY, .peer = t->peer};
    rma->put = t->put;
    rma->bytes = 0;
    rma->count = 0;
    for (; t && t->put == rma->put; t = next_for(t->next, rma->operation.peer)) {
        size_t n = t->n - t->begun < PIECE - rma->bytes ? t->n - t->begun : PIECE - rma->bytes;
        if (rma->count == ofi->rma_parts || n == 0)
            return true;
        rma->of[rma->count] = t;
        rma->here[rma->count] = (struct iovec){t->here + t->begun, n};
        rma->there[rma->count++] = (struct fi_rma_iov){
            .addr = t->there + t->begun, .len = n, .key = ofi->peers[t->peer].key};
        rma->bytes += n;
        if (t->begun + n < t->n)
            return true;
    }
    return false;
}

/* Give an operation to the provider.  Returns false if it has no capacity now. */
static bool begin_operation(struct ofi *ofi, struct ofi_rma *rma) {
    struct fi_msg_rma message = {.msg_iov = rma->here,
                                 .iov_count = (size_t)rma->count,
                                 .addr = ofi->peers[rma->operation.peer].address,
                                 .rma_iov = rma->there,
                                 .rma_iov_count = (size_t)rma->count,
                                 .context = rma->answered ? &rma->operation.context : NULL};
    uint64_t flags = FI_COMPLETION | (rma->put && rma->answered ? FI_DELIVERY_COMPLETE : 0);
    ssize_t result = rma->put ? fi_writemsg(ofi->ep, &message, flags) : fi_readmsg(ofi->ep, &message, flags);
    return ofi_begun(ofi, rma->operation.peer, result);
}

/* Count the pieces of an operation that has begun, and list it with those that complete together. */
static void count_in(struct ofi *ofi, struct ofi_rma *rma) {
    struct ofi_peer *peer = &ofi->peers[rma->operation.peer];
    ofi->free_rma = rma->next;
    for (int i = 0; i < rma->count; i++) {
        rma->of[i]->begun += rma->here[i].iov_len;
        rma->of[i]->under_way++;
    }
    peer->under_way += rma->bytes;
    rma->next = rma->put ? peer->unanswered : NULL;
    if (rma->put) {
        peer->unanswered = rma->answered ? NULL : rma;
        peer->unanswered_bytes = rma->answered ? 0 : peer->unanswered_bytes + rma->bytes;
    }
}

/* Begin an operation from t on, if that is worth its cost and allowed.  more: transfers follow that may share
 * it.  Returns true if it has begun. */
static bool go_on_from(struct ofi *ofi, struct ofi_transfer *t, bool more) {
    struct ofi_rma *rma = ofi->free_rma;
    const struct ofi_peer *peer = &ofi->peers[t->peer];
    bool follows = rma && gather(ofi, t, rma);
    if (!rma || (!follows && more) || peer->under_way + rma->bytes > UNDER_WAY)
        return false;
    rma->answered = !rma->put || !follows || !ofi->writes_in_order ||
                    peer->unanswered_bytes + rma->bytes >= ANSWERED ||
                    !rma->next; /* the last free one: ask for an answer so that some become free */
    if (!begin_operation(ofi, rma))
        return false;
    count_in(ofi, rma);
    return true;
}

/* Begin operations for the queued transfers.  A peer for which none can begin now does not stop those for
 * other peers. */
static void go_on(struct ofi *ofi, bool more) {
    int stopped = -1;
    while (ofi->waiting && ofi->waiting->begun == ofi->waiting->n)
        ofi->waiting = ofi->waiting->next;
    for (struct ofi_transfer *t = ofi->waiting; t;) {
        if (t->begun == t->n || t->peer == stopped || !go_on_from(ofi, t, more)) {
            stopped = t->begun == t->n ? stopped : t->peer;
            t = t->next;
        }
    }
}

/* ---- transfers ----------------------------------------------------------------------------------------- */

static bool begin(struct ofi *ofi, bool put, int peer, void *here, uint64_t address, size_t n,
                  void *context) {
    struct ofi_transfer *t = ofi->unused;
    const struct ofi_peer *p = &ofi->peers[peer];
    if (!n || !t || !p->has_memory || p->finished || n > ofi->client->memory_length ||
        address > ofi->client->memory_length - n) /* all spans have the same length */
        return false;
    ofi->unused = t->next;
    *t = (struct ofi_transfer){
        .put = put, .peer = peer, .here = here, .there = p->base + address, .n = n, .context = context};
    if (ofi->first)
        ofi->last->next = t;
    else
        ofi->first = t;
    ofi->last = t;
    if (!ofi->waiting)
        ofi->waiting = t;
    go_on(ofi, ofi->end.more);
    return true;
}

bool ofi_put(struct mer_conduit_endpoint *end, int to, uint64_t address, const void *from, size_t n,
             void *context) {
    return begin((struct ofi *)end, true, to, (void *)(uintptr_t)from, address, n, context);
}

bool ofi_get(struct mer_conduit_endpoint *end, void *into, int to, uint64_t address, size_t n,
             void *context) {
    return begin((struct ofi *)end, false, to, into, address, n, context);
}

/* Remove a complete transfer from the queue, and tell the client. */
static void done(struct ofi *ofi, struct ofi_transfer *t) {
    struct ofi_transfer *before = NULL;
    for (struct ofi_transfer *at = ofi->first; at != t; at = at->next)
        before = at;
    if (before)
        before->next = t->next;
    else
        ofi->first = t->next;
    if (ofi->last == t)
        ofi->last = before;
    if (ofi->waiting == t)
        ofi->waiting = t->next;
    t->next = ofi->unused;
    ofi->unused = t;
    ofi->client->done(ofi->client->user, t->context);
}

/* Count out the pieces of a complete operation.  Returns the number of transfers that are complete by
 * that. */
static int count_out(struct ofi *ofi, struct ofi_rma *rma) {
    int transfers = 0;
    ofi->peers[rma->operation.peer].under_way -= rma->bytes;
    for (int i = 0; i < rma->count; i++) {
        struct ofi_transfer *t = rma->of[i];
        if (--t->under_way == 0 && t->begun == t->n) {
            done(ofi, t);
            transfers++;
        }
    }
    return transfers;
}

/* Earlier operations without an answer of their own complete with this one. */
int ofi_memory_complete(struct ofi *ofi, struct ofi_operation *operation) {
    int transfers = 0;
    for (struct ofi_rma *rma = (struct ofi_rma *)(void *)operation, *next; rma; rma = next) {
        next = rma->next;
        transfers += count_out(ofi, rma);
        give_up(ofi, rma);
    }
    go_on(ofi, ofi->end.more);
    return transfers;
}

void ofi_memory_open(struct ofi *ofi) {
    const struct fi_info *info = ofi->info;
    size_t parts = info->tx_attr->iov_limit < info->tx_attr->rma_iov_limit ? info->tx_attr->iov_limit
                                                                           : info->tx_attr->rma_iov_limit;
    ofi->rma_parts = parts < 1 ? 1 : parts < OFI_PARTS ? (int)parts : OFI_PARTS;
    ofi->writes_in_order = (info->tx_attr->msg_order & FI_ORDER_WAW) &&
                           info->ep_attr->max_order_waw_size >= PIECE &&
                           !(info->mode & (FI_CONTEXT | FI_CONTEXT2));
    for (int i = 0; i < OFI_TRANSFERS; i++) {
        ofi->transfers[i].next = ofi->unused;
        ofi->unused = &ofi->transfers[i];
    }
    for (int i = 0; i < OFI_RMAS; i++)
        give_up(ofi, &ofi->rmas[i]);
}

void ofi_memory_turn(struct ofi *ofi) { go_on(ofi, false); }
