/* put and get of the threads' memory by the network: from and to where the data lie, with no copy between.
 *
 * A transfer goes in parts, a few of them under way at a time, so that packets to the same peer get their
 * turn on a connection that carries both.  A put's part is complete when the bytes are seen there.
 */
#include "conduit/ofi/ofi.h"

#define PART ((size_t)1 << 20)
#define LEAST ((size_t)16 << 10) /* bytes from which this is faster than messages */

/* Begin parts, as many as may be under way the provider takes. */
static void go_on(struct ofi *ofi, struct ofi_transfer *t) {
    while (t->free && t->begun < t->n) {
        size_t n = t->n - t->begun < PART ? t->n - t->begun : PART;
        struct ofi_peer *peer = &ofi->peers[t->peer];
        struct iovec here = {t->here + t->begun, n};
        struct fi_rma_iov there = {.addr = t->there + t->begun, .len = n, .key = peer->key};
        struct fi_msg_rma message = {.msg_iov = &here,
                                     .iov_count = 1,
                                     .addr = peer->address,
                                     .rma_iov = &there,
                                     .rma_iov_count = 1,
                                     .context = &t->free->context};
        struct ofi_operation *part = t->free;
        ssize_t result = t->put ? fi_writemsg(ofi->ep, &message, FI_COMPLETION | FI_DELIVERY_COMPLETE)
                                : fi_readmsg(ofi->ep, &message, FI_COMPLETION);
        if (!ofi_begun(ofi, t->peer, result))
            return;
        t->free = part->next;
        t->begun += n;
        t->under_way++;
    }
}

static bool begin(struct ofi *ofi, bool put, int peer, void *here, uint64_t address, size_t n,
                  void *context) {
    struct ofi_transfer *t = ofi->unused;
    const struct ofi_peer *p = &ofi->peers[peer];
    if (n < LEAST || !t || !p->has_memory || p->finished || n > ofi->client->memory_length ||
        address > ofi->client->memory_length - n) /* all spans are of one length */
        return false;
    ofi->unused = t->next;
    *t = (struct ofi_transfer){.put = put,
                               .peer = peer,
                               .here = here,
                               .there = p->base + address,
                               .n = n,
                               .context = context,
                               .next = ofi->active};
    for (int i = 0; i < OFI_PARTS; i++) {
        t->parts[i] = (struct ofi_operation){.kind = OFI_MEMORY, .peer = peer, .part = t, .next = t->free};
        t->free = &t->parts[i];
    }
    ofi->active = t;
    go_on(ofi, t);
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

int ofi_memory_part(struct ofi *ofi, struct ofi_operation *operation) {
    struct ofi_transfer *t = operation->part;
    operation->next = t->free;
    t->free = operation;
    t->under_way--;
    if (t->begun < t->n || t->under_way) {
        go_on(ofi, t);
        return 0;
    }
    struct ofi_transfer **at = &ofi->active;
    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    t->next = ofi->unused;
    ofi->unused = t;
    ofi->client->done(ofi->client->user, t->context);
    return 1;
}

void ofi_memory_open(struct ofi *ofi) {
    for (int i = 0; i < OFI_TRANSFERS; i++) {
        ofi->transfers[i].next = ofi->unused;
        ofi->unused = &ofi->transfers[i];
    }
}

void ofi_memory_turn(struct ofi *ofi) {
    for (struct ofi_transfer *t = ofi->active; t; t = t->next)
        if (t->begun < t->n)
            go_on(ofi, t);
}
