/* The conduit `ofi': packets over libfabric's reliable datagrams, which make it run on Ethernet, InfiniBand,
 * Slingshot, EFA and Omni-Path.
 *
 * A packet's sender and kind travel as the completion's data.  A tag before the packet shows that it is the
 * job's (tag.c): packets without a right tag are dropped and counted.  Small packets are injected; others are
 * copied once into a buffer of this endpoint and sent from there.
 *
 * libfabric reports the death of a peer only while something is under way to it, and some providers answer
 * "again" for ever.  So peers that have exchanged packets send a sign of life when there is nothing else to
 * send.  A peer that accepts none is tested in another way (gone.c), and one from which nothing comes for
 * client->silence seconds is lost.
 */
#include "conduit/ofi/ofi.h"
#include "base/limits.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CLOSING_SECONDS 5.0 /* at the end: how long to wait for the peers' goodbye */

/* The data of a completion: the low bits of the packet's number, counted for each pair of threads; its kind;
 * and the sender's thread. */
enum { PACKET, LIFE, GOODBYE };
#define NUMBER_SHIFT 32
#define KIND_SHIFT 28
#define FROM_MASK ((1u << KIND_SHIFT) - 1)

#define LIFE_LEAST 1.0
#define LIVES 100.0 /* most signs of life a second, for any number of peers */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double silence(const struct ofi *ofi) { return ofi->client->silence > 0 ? ofi->client->silence : 30; }

/* Report the peer as lost, or forget it if it has ended in order.  Packets of strangers may be related to a
 * loss, so the message counts them. */
static void lose(struct ofi *ofi, int peer, const char *cause) {
    char text[320];
    bool expected = ofi->closing || ofi->peers[peer].finished;
    if (!expected && !mer_descriptors_left(1))
        ofi->client->fail(ofi->client->user, "no connection can be made: %s", mer_limit_text(EMFILE));
    if (!expected && ofi->end.strangers) {
        snprintf(text, sizeof text, "%s (%llu packets of unknown senders have been dropped: see SECURITY.md)",
                 cause, (unsigned long long)ofi->end.strangers);
        cause = text;
    }
    if (!expected)
        ofi->client->lost(ofi->client->user, peer, cause);
    ofi->peers[peer].finished = true;
}

/* Packets are sent to the peer, or come from it: from now on it must show signs of life. */
static void talk(struct ofi *ofi, struct ofi_peer *peer) {
    if (peer->talked)
        return;
    peer->talked = true;
    peer->heard = ofi->moment;
    ofi_within_machine(ofi, peer);
}

bool ofi_begun(struct ofi *ofi, int peer, long result) {
    struct ofi_peer *p = &ofi->peers[peer];
    if (result == 0) {
        p->refused = 0;
        p->sent = ofi->moment;
        talk(ofi, p);
        return true;
    }
    if (result != -FI_EAGAIN) {
        lose(ofi, peer, ofi_error_text((int)-result));
    } else if (p->refused == 0) {
        p->refused = ofi->moment;
    } else if (ofi->moment - p->refused > silence(ofi)) {
        char cause[192];
        snprintf(cause, sizeof cause, "no packet accepted for %.0f seconds%s", silence(ofi),
                 p->taken_number
                     ? ""
                     : ", from the beginning; check its limit on open files (`ulimit -Hn') and its firewall");
        lose(ofi, peer, cause);
    }
    return false;
}

/* ---- sending ---- */

static uint64_t data_of(const struct ofi *ofi, int to, int kind) {
    return ofi->peers[to].sent_number << NUMBER_SHIFT | (uint64_t)kind << KIND_SHIFT |
           (uint64_t)ofi->client->thread;
}

/* Write the tag and then the parts, one after the other.  Returns the number of bytes. */
static size_t pack(const struct ofi *ofi, int to, uint64_t data, const struct iovec *parts, int nparts,
                   unsigned char *bytes) {
    const struct ofi_peer *peer = &ofi->peers[to];
    uint64_t tag = ofi_tag(peer->secret, peer->sent_number, data);
    size_t n = sizeof tag;
    _Static_assert(sizeof tag == OFI_HEAD, "a tag is in front of each packet");
    memcpy(bytes, &tag, sizeof tag);
    for (int i = 0; i < nparts; i++) {
        memcpy(bytes + n, parts[i].iov_base, parts[i].iov_len);
        n += parts[i].iov_len;
    }
    return n;
}

static bool numbered(struct ofi *ofi, int to, long result) {
    if (!ofi_begun(ofi, to, result))
        return false;
    ofi->peers[to].sent_number++;
    return true;
}

/* Send without a completion.  The parts have n bytes, at most inject_size with the head. */
static bool inject(struct ofi *ofi, int to, int kind, const struct iovec *parts, int nparts, size_t n) {
    unsigned char bytes[OFI_HEAD + n];
    uint64_t data = data_of(ofi, to, kind);
    size_t all = pack(ofi, to, data, parts, nparts, bytes);
    return numbered(ofi, to, fi_injectdata(ofi->ep, bytes, all, data, ofi->peers[to].address));
}

/* Send from a buffer of this endpoint, which is in use until the send is complete. */
static bool send_buffered(struct ofi *ofi, int to, int kind, const struct iovec *parts, int nparts) {
    struct ofi_operation *operation = ofi->free_sends;
    if (!operation)
        return false;
    uint64_t data = data_of(ofi, to, kind);
    size_t n = pack(ofi, to, data, parts, nparts, operation->buffer);
    operation->peer = to;
    if (!numbered(ofi, to,
                  fi_senddata(ofi->ep, operation->buffer, n, ofi->buffers_desc, data, ofi->peers[to].address,
                              &operation->context)))
        return false;
    ofi->free_sends = operation->next;
    ofi->sending++;
    return true;
}

static bool send_packet(struct mer_conduit_endpoint *end, int to, const struct iovec *parts, int nparts) {
    struct ofi *ofi = (struct ofi *)end;
    size_t n = 0;
    if (ofi->peers[to].finished)
        return true; /* the peer has ended in order: the packet is dropped */
    for (int i = 0; i < nparts; i++)
        n += parts[i].iov_len;
    if (n + OFI_HEAD > ofi->info->tx_attr->inject_size)
        return send_buffered(ofi, to, PACKET, parts, nparts);
    return inject(ofi, to, PACKET, parts, nparts, n);
}

/* ---- receiving ---- */

static void post(struct ofi *ofi, struct ofi_operation *operation) {
    ssize_t result = fi_recv(ofi->ep, operation->buffer, ofi->sizes.packet, ofi->buffers_desc, FI_ADDR_UNSPEC,
                             &operation->context);
    if (result == -FI_EAGAIN) {
        operation->next = ofi->unposted;
        ofi->unposted = operation;
    } else if (result) {
        ofi->client->fail(ofi->client->user, "fi_recv: %s", fi_strerror((int)-result));
    }
}

/* Deliver the next packet of its sender, and post its buffer again. */
static void take(struct ofi *ofi, struct ofi_operation *operation) {
    struct ofi_peer *peer = &ofi->peers[operation->peer];
    unsigned kind = (unsigned)operation->data >> KIND_SHIFT;
    peer->taken_number++;
    if (kind == GOODBYE) {
        peer->finished = true;
    } else if (kind == PACKET && !ofi->closing) {
        ofi->delivered++;
        ofi->client->deliver(ofi->client->user, operation->peer, operation->buffer + OFI_HEAD,
                             operation->length - OFI_HEAD);
    }
    post(ofi, operation);
}

/* Returns true if one of the job's threads has sent this packet, and it has not come before; *number is then
 * the packet's.  An early packet is at most OFI_BUFFERS - 1 packets ahead of the awaited one. */
static bool is_ours(const struct ofi *ofi, const struct fi_cq_data_entry *entry, uint64_t *number) {
    const struct ofi_operation *operation = entry->op_context;
    unsigned from = (unsigned)entry->data & FROM_MASK;
    uint64_t tag;
    if (!(entry->flags & FI_REMOTE_CQ_DATA) || entry->len < OFI_HEAD ||
        from >= (unsigned)ofi->client->threads || mer_conduit_here(ofi->client, (int)from))
        return false;
    const struct ofi_peer *peer = &ofi->peers[from];
    uint32_t ahead = (uint32_t)(entry->data >> NUMBER_SHIFT) - (uint32_t)peer->taken_number;
    *number = peer->taken_number + ahead;
    memcpy(&tag, operation->buffer, sizeof tag);
    if (ahead >= OFI_BUFFERS || tag != ofi_tag(ofi->secret, *number, entry->data))
        return false;
    for (const struct ofi_operation *early = peer->early; early; early = early->next)
        if (early->number == *number)
            return false;
    return true;
}

/* Deliver packets in the order in which they were sent.  Long packets may be complete after short ones that
 * were sent later; the short ones wait.  Packets get buffers in the order in which they were sent, so the
 * awaited packet has one. */
static void sort_in(struct ofi *ofi, const struct fi_cq_data_entry *entry) {
    struct ofi_operation *operation = entry->op_context;
    uint64_t number;
    if (!is_ours(ofi, entry, &number)) {
        ofi->end.strangers++;
        post(ofi, operation);
        return;
    }
    unsigned from = (unsigned)entry->data & FROM_MASK;
    struct ofi_peer *peer = &ofi->peers[from];
    operation->peer = (int)from;
    operation->number = number;
    operation->data = entry->data;
    operation->length = entry->len;
    operation->next = peer->early;
    peer->early = operation;
    peer->heard = ofi->moment;
    talk(ofi, peer);
    for (struct ofi_operation **at = &peer->early; *at;) {
        struct ofi_operation *next = *at;
        if (next->number != peer->taken_number) {
            at = &next->next;
            continue;
        }
        *at = next->next;
        take(ofi, next);
        at = &peer->early;
    }
}

static void complete(struct ofi *ofi, const struct fi_cq_data_entry *entry) {
    struct ofi_operation *operation = entry->op_context;
    if (!operation)
        return;
    switch (operation->kind) {
    case OFI_RECEIVE:
        sort_in(ofi, entry);
        break;
    case OFI_SEND:
        operation->next = ofi->free_sends;
        ofi->free_sends = operation;
        ofi->sending--;
        break;
    case OFI_MEMORY:
        ofi->peers[operation->peer].heard = ofi->moment;
        ofi->delivered += ofi_memory_complete(ofi, operation);
    }
}

static void complete_error(struct ofi *ofi) {
    struct fi_cq_err_entry error = {0};
    if (fi_cq_readerr(ofi->cq, &error, 0) != 1)
        return;
    struct ofi_operation *operation = error.op_context;
    if (!operation || (operation->kind == OFI_RECEIVE && error.err == FI_ECANCELED))
        return;
    if (operation->kind == OFI_RECEIVE) {
        post(ofi, operation); /* a packet that a dying peer has sent incompletely */
        return;
    }
    lose(ofi, operation->peer,
         error.err == FI_ECONNRESET || error.err == FI_EIO ? "the connection was closed"
                                                           : ofi_error_text(error.err));
    if (operation->kind == OFI_SEND) {
        operation->next = ofi->free_sends;
        ofi->free_sends = operation;
        ofi->sending--;
    }
}

/* Report as lost the peers that have died or are silent, and send a sign of life to peers to which nothing
 * else is sent. */
static void look_after(struct ofi *ofi) {
    int talkers = 0;
    ofi->last_look = ofi->moment;
    for (int i = 0; i < ofi->client->threads; i++) {
        struct ofi_peer *p = &ofi->peers[i];
        if (p->finished || (!p->talked && p->refused == 0))
            continue;
        talkers++;
        if (p->talked && ofi->moment - p->heard > silence(ofi)) {
            char cause[64];
            snprintf(cause, sizeof cause, "silent for %.0f s (MERIDIAN_SILENCE)", silence(ofi));
            lose(ofi, i, cause);
        } else if (ofi_gone(ofi, i, ofi->moment)) {
            lose(ofi, i, "the connection was closed, and a new connection is refused");
        } else if (p->talked && ofi->moment - p->sent > ofi->life) {
            inject(ofi, i, LIFE, NULL, 0, 0);
        }
    }
    ofi->life = talkers / LIVES > LIFE_LEAST ? talkers / LIVES : LIFE_LEAST;
    if (ofi->life > silence(ofi) / 4)
        ofi->life = silence(ofi) / 4;
}

static int turn(struct ofi *ofi) {
    struct fi_cq_data_entry entries[16];
    int events = 0;
    ofi->moment = now();
    for (int rounds = 0; rounds < 16; rounds++) {
        ssize_t n = fi_cq_read(ofi->cq, entries, 16);
        if (n == -FI_EAVAIL)
            complete_error(ofi);
        else if (n < 0 && n != -FI_EAGAIN)
            ofi->client->fail(ofi->client->user, "fi_cq_read: %s", fi_strerror((int)-n));
        for (ssize_t i = 0; i < n; i++)
            complete(ofi, &entries[i]);
        events += n == -FI_EAVAIL ? 1 : n > 0 ? (int)n : 0;
        if (n < 16 && n != -FI_EAVAIL)
            break;
    }
    struct ofi_operation *again = ofi->unposted;
    ofi->unposted = NULL;
    for (struct ofi_operation *next; again; again = next) {
        next = again->next;
        post(ofi, again);
    }
    ofi_memory_turn(ofi);
    if (ofi->moment - ofi->last_look > ofi->life / 2)
        look_after(ofi);
    return events;
}

/* ---- the conduit ---- */

static const struct mer_conduit conduit;

static struct mer_conduit_endpoint *open_endpoint(const struct mer_conduit_client *client,
                                                  struct mer_conduit_address *address) {
    struct ofi_endpoint own;
    struct ofi *ofi = calloc(1, sizeof *ofi);
    if (!ofi)
        client->fail(client->user, "no memory for an endpoint");
    ofi->client = client;
    memset(&own, 0, sizeof own);
    ofi_fabric_open(ofi, &own);
    const struct ofi_sizes *sizes = &ofi->sizes;
    ofi->end = (struct mer_conduit_endpoint){.conduit = &conduit,
                                             .client = client,
                                             .packet_most = sizes->packet - OFI_HEAD,
                                             .packet_eager = sizes->eager ? sizes->eager - OFI_HEAD : 0,
                                             .put_least = sizes->put_least,
                                             .get_least = sizes->get_least};
    ofi_port(ofi, &own, &ofi->port);
    ofi_memory_open(ofi);
    ofi->moment = now();
    for (size_t i = 0; i < sizes->sends; i++) {
        ofi->sends[i].kind = OFI_SEND;
        ofi->sends[i].buffer = ofi->buffers + i * sizes->packet;
        ofi->sends[i].next = ofi->free_sends;
        ofi->free_sends = &ofi->sends[i];
    }
    for (size_t i = 0; i < sizes->receives; i++) {
        ofi->receives[i].kind = OFI_RECEIVE;
        ofi->receives[i].buffer = ofi->buffers + (sizes->sends + i) * sizes->packet;
        post(ofi, &ofi->receives[i]);
    }
    _Static_assert(sizeof own <= MER_CONDUIT_ADDRESS, "an endpoint's address has to fit");
    address->length = sizeof own;
    memcpy(address->bytes, &own, sizeof own);
    return &ofi->end;
}

static void know_peers(struct mer_conduit_endpoint *end, const struct mer_conduit_address *addresses) {
    struct ofi *ofi = (struct ofi *)end;
    struct ofi_endpoint peer;
    ofi->peers = calloc((size_t)ofi->client->threads, sizeof *ofi->peers);
    if (!ofi->peers)
        ofi->client->fail(ofi->client->user, "no memory for %d addresses", ofi->client->threads);
    for (int i = 0; i < ofi->client->threads; i++) {
        if (mer_conduit_here(ofi->client, i))
            continue;
        memcpy(&peer, addresses[i].bytes, sizeof peer);
        const char *own = ofi->info->fabric_attr->prov_name;
        if (addresses[i].length != sizeof peer)
            ofi->client->fail(
                ofi->client->user,
                "thread %d has another conduit; set MERIDIAN_CONDUIT to the same value on all hosts", i);
        if (strncmp(peer.provider, own, sizeof peer.provider - 1) != 0)
            ofi->client->fail(ofi->client->user,
                              "libfabric has chosen provider %s here and %s for thread %d; set FI_PROVIDER "
                              "to a provider of all hosts, or set MERIDIAN_CONDUIT=tcp",
                              own, peer.provider, i);
        ofi->peers[i] = (struct ofi_peer){.key = peer.key,
                                          .base = peer.base,
                                          .secret = {peer.secret[0], peer.secret[1]},
                                          .has_memory = peer.has_memory};
        ofi_port(ofi, &peer, &ofi->peers[i].port);
        if (fi_av_insert(ofi->av, peer.name, 1, &ofi->peers[i].address, 0, NULL) != 1)
            ofi->client->fail(ofi->client->user, "the address of thread %d does not belong to provider %s", i,
                              own);
    }
}

static int poll_queue(struct mer_conduit_endpoint *end) {
    struct ofi *ofi = (struct ofi *)end;
    ofi->delivered = 0;
    turn(ofi);
    return ofi->delivered;
}

static int wait_fd(struct mer_conduit_endpoint *end) { return ((struct ofi *)end)->wait_fd; }

static bool may_sleep(struct mer_conduit_endpoint *end) {
    struct ofi *ofi = (struct ofi *)end;
    struct fid *queue = &ofi->cq->fid;
    return !ofi->unposted && fi_trywait(ofi->fabric, &queue, 1) == FI_SUCCESS;
}

/* Each peer with which packets were exchanged is sent a goodbye, after all packets.  The endpoint is closed
 * when nothing is under way and nothing more can come; else a connection could be reset with packets in
 * it. */
static void close_endpoint(struct mer_conduit_endpoint *end) {
    struct ofi *ofi = (struct ofi *)end;
    bool *told = calloc((size_t)ofi->client->threads, sizeof *told), done = !told;
    ofi->closing = true;
    for (double until = now() + CLOSING_SECONDS; !done && now() < until;) {
        struct pollfd wait = {.fd = ofi->wait_fd, .events = POLLIN};
        done = true;
        for (int i = 0; i < ofi->client->threads; i++) {
            struct ofi_peer *p = &ofi->peers[i];
            if (!p->talked)
                continue;
            told[i] = told[i] || send_buffered(ofi, i, GOODBYE, NULL, 0);
            done = done && told[i] && p->finished;
        }
        done = done && !ofi->sending;
        if (turn(ofi) > 0)
            until = now() + CLOSING_SECONDS;
        else if (!done && may_sleep(end))
            poll(&wait, 1, 10);
    }
    free(told);
    ofi_gone_close(ofi);
    ofi_fabric_close(ofi);
    free(ofi->peers);
    free(ofi);
}

static const struct mer_conduit conduit = {
    .abi = MER_CONDUIT_ABI,
    .name = "ofi",
    .open = open_endpoint,
    .connect = know_peers,
    .send = send_packet,
    .poll = poll_queue,
    .wait_fd = wait_fd,
    .may_sleep = may_sleep,
    .close = close_endpoint,
    .put = ofi_put,
    .get = ofi_get,
};

const struct mer_conduit *mer_conduit_module(void);
__attribute__((visibility("default"))) const struct mer_conduit *mer_conduit_module(void) { return &conduit; }
