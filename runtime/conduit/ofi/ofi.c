/* The conduit `ofi': packets over libfabric's reliable datagrams, by which one program runs on Ethernet,
 * InfiniBand, Slingshot, EFA and Omni-Path.
 *
 * A packet's sender and kind travel as the completion's data, so that the packet itself is what the runtime
 * gave.  Small ones are injected, others are copied once into a buffer of ours, from which they go.
 *
 * libfabric reports the death of a peer only while something is under way to it, and some providers answer
 * "again" for ever. So peers that have talked send a sign of life when there is nothing else to send; one
 * that takes none is asked otherwise (gone.c), and one from which nothing comes for room->silence seconds is
 * lost.
 */
#include "conduit/ofi/ofi.h"
#include "conduit/sockets.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CLOSING_SECONDS 5.0 /* at the end: how long to wait for the peers' goodbye */

/* The data of a completion: the packet's number, between this pair; what it is; and the sender's thread. */
enum { PACKET, LIFE, GOODBYE };
#define NUMBER_SHIFT 32
#define KIND_SHIFT 28
#define FROM_MASK ((1u << KIND_SHIFT) - 1)

struct ofi_peer *ofi_peers;

static struct ofi_operation sends[OFI_SENDS], *free_sends, receives[OFI_RECEIVES];
static struct ofi_operation *unposted; /* buffers for which the provider had no room */
static int sending;                    /* packets that are not complete */
static int delivered;                  /* in this poll: packets, and transfers that are done */
static bool closing;
static double last_look; /* at the signs of life */
static double life;      /* seconds after which a peer that has heard nothing else is sent one */

#define LIFE_LEAST 1.0
#define LIVES 100.0 /* most signs of life a second, however many the peers are */

static double moment; /* of the last poll, which is exact enough, since there is one a second at least */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double silence(void) { return ofi.room->silence > 0 ? ofi.room->silence : 30; }

/* The peer is lost, or forgotten if it has ended in order. */
static void lose(int peer, const char *cause) {
    if (!closing && !ofi_peers[peer].finished && !mer_descriptors_left(1))
        ofi.room->fail("no connection can be made: %s", mer_limit_text(EMFILE));
    if (!closing && !ofi_peers[peer].finished)
        ofi.room->lost(peer, cause);
    ofi_peers[peer].finished = true;
}

bool ofi_begun(int peer, long result) {
    struct ofi_peer *p = &ofi_peers[peer];
    if (result == 0) {
        p->refused = 0;
        p->sent = moment;
        if (!p->talked)
            p->heard = p->sent; /* from here on it is waited for */
        p->talked = true;
        return true;
    }
    if (result != -FI_EAGAIN) {
        lose(peer, ofi_error_text((int)-result));
    } else if (p->refused == 0) {
        p->refused = moment;
    } else if (moment - p->refused > silence()) {
        char cause[192];
        snprintf(cause, sizeof cause, "it has taken nothing for %.0f seconds%s", silence(),
                 p->taken_number ? ""
                                 : ", from the beginning; has it no descriptors left (`ulimit -Hn'), or is a "
                                   "firewall in the way?");
        lose(peer, cause);
    }
    return false;
}

/* ---- sending ---- */

static uint64_t data_of(int to, int kind) {
    return (uint64_t)ofi_peers[to].sent_number << NUMBER_SHIFT | (uint64_t)kind << KIND_SHIFT |
           (uint64_t)ofi.room->thread;
}

static bool numbered(int to, long result) {
    if (!ofi_begun(to, result))
        return false;
    ofi_peers[to].sent_number++;
    return true;
}

/* Without a completion: at most inject_size bytes. */
static bool inject(int to, int kind, const void *bytes, size_t n) {
    return numbered(to, fi_injectdata(ofi.ep, bytes, n, data_of(to, kind), ofi_peers[to].address));
}

/* From a buffer of ours, until it is complete. */
static bool send_buffered(int to, int kind, const struct iovec *parts, int nparts) {
    struct ofi_operation *operation = free_sends;
    if (!operation)
        return false;
    size_t n = 0;
    for (int i = 0; i < nparts; i++) {
        memcpy(operation->buffer + n, parts[i].iov_base, parts[i].iov_len);
        n += parts[i].iov_len;
    }
    operation->peer = to;
    if (!numbered(to, fi_senddata(ofi.ep, operation->buffer, n, ofi.buffers_desc, data_of(to, kind),
                                  ofi_peers[to].address, &operation->context)))
        return false;
    free_sends = operation->next;
    sending++;
    return true;
}

static bool send_packet(int to, const struct iovec *parts, int nparts) {
    size_t n = 0;
    if (ofi_peers[to].finished)
        return true; /* it has ended in order: to nobody */
    for (int i = 0; i < nparts; i++)
        n += parts[i].iov_len;
    if (n > ofi.info->tx_attr->inject_size)
        return send_buffered(to, PACKET, parts, nparts);
    if (nparts == 1)
        return inject(to, PACKET, parts[0].iov_base, n);
    unsigned char bytes[n ? n : 1];
    n = 0;
    for (int i = 0; i < nparts; i++) {
        memcpy(bytes + n, parts[i].iov_base, parts[i].iov_len);
        n += parts[i].iov_len;
    }
    return inject(to, PACKET, bytes, n);
}

/* ---- receiving ---- */

static void post(struct ofi_operation *operation) {
    ssize_t result = fi_recv(ofi.ep, operation->buffer, OFI_PACKET, ofi.buffers_desc, FI_ADDR_UNSPEC,
                             &operation->context);
    if (result == -FI_EAGAIN) {
        operation->next = unposted;
        unposted = operation;
    } else if (result) {
        ofi.room->fail("fi_recv: %s", fi_strerror((int)-result));
    }
}

/* The packet that is next from its sender. */
static void take(struct ofi_operation *operation) {
    struct ofi_peer *peer = &ofi_peers[operation->peer];
    unsigned kind = (unsigned)operation->data >> KIND_SHIFT;
    peer->taken_number++;
    if (kind == GOODBYE) {
        peer->finished = true;
    } else if (kind == PACKET && !closing) {
        delivered++;
        ofi.room->deliver(operation->peer, operation->buffer, operation->length);
    }
    post(operation);
}

/* Long packets may be complete after short ones that were sent after them: those wait.  Buffers are given to
 * packets in the order in which they were sent, so the one that is waited for has its own. */
static void sort_in(const struct fi_cq_data_entry *entry) {
    struct ofi_operation *operation = entry->op_context;
    unsigned from = (unsigned)entry->data & FROM_MASK;
    if (!(entry->flags & FI_REMOTE_CQ_DATA) || from >= (unsigned)ofi.room->threads ||
        mer_conduit_here(ofi.room, (int)from)) {
        post(operation); /* a stranger's */
        return;
    }
    struct ofi_peer *peer = &ofi_peers[from];
    operation->peer = (int)from;
    operation->data = entry->data;
    operation->length = entry->len;
    operation->next = peer->early;
    peer->early = operation;
    peer->heard = moment;
    peer->talked = true;
    for (struct ofi_operation **at = &peer->early; *at;) {
        struct ofi_operation *next = *at;
        if (next->data >> NUMBER_SHIFT != peer->taken_number) {
            at = &next->next;
            continue;
        }
        *at = next->next;
        take(next);
        at = &peer->early;
    }
}

static void complete(const struct fi_cq_data_entry *entry) {
    struct ofi_operation *operation = entry->op_context;
    if (!operation)
        return;
    switch (operation->kind) {
    case OFI_RECEIVE:
        sort_in(entry);
        break;
    case OFI_SEND:
        operation->next = free_sends;
        free_sends = operation;
        sending--;
        break;
    case OFI_MEMORY:
        ofi_peers[operation->peer].heard = moment;
        delivered += ofi_memory_part(operation);
    }
}

static void complete_error(void) {
    struct fi_cq_err_entry error = {0};
    if (fi_cq_readerr(ofi.cq, &error, 0) != 1)
        return;
    struct ofi_operation *operation = error.op_context;
    if (!operation || (operation->kind == OFI_RECEIVE && error.err == FI_ECANCELED))
        return;
    if (operation->kind == OFI_RECEIVE) {
        post(operation); /* a packet that a dying peer has not sent to its end */
        return;
    }
    lose(operation->peer, error.err == FI_ECONNRESET || error.err == FI_EIO ? "the connection was closed"
                                                                            : ofi_error_text(error.err));
    if (operation->kind == OFI_SEND) {
        operation->next = free_sends;
        free_sends = operation;
        sending--;
    }
}

/* Peers that have died, or from which nothing comes, are lost; those that hear nothing from here are told
 * that this one lives. */
static void look_after(void) {
    int talkers = 0;
    last_look = moment;
    for (int i = 0; i < ofi.room->threads; i++) {
        struct ofi_peer *p = &ofi_peers[i];
        if (p->finished || (!p->talked && p->refused == 0))
            continue;
        talkers++;
        if (p->talked && moment - p->heard > silence()) {
            char cause[64];
            snprintf(cause, sizeof cause, "nothing has come from it for %.0f seconds", silence());
            lose(i, cause);
        } else if (ofi_gone(i, moment)) {
            lose(i, "the connection was closed, and a new one is refused");
        } else if (p->talked && moment - p->sent > life) {
            inject(i, LIFE, "", 1);
        }
    }
    life = talkers / LIVES > LIFE_LEAST ? talkers / LIVES : LIFE_LEAST;
    if (life > silence() / 4)
        life = silence() / 4;
}

static int turn(void) {
    struct fi_cq_data_entry entries[16];
    int events = 0;
    moment = now();
    for (int rounds = 0; rounds < 16; rounds++) {
        ssize_t n = fi_cq_read(ofi.cq, entries, 16);
        if (n == -FI_EAVAIL)
            complete_error();
        else if (n < 0 && n != -FI_EAGAIN)
            ofi.room->fail("fi_cq_read: %s", fi_strerror((int)-n));
        for (ssize_t i = 0; i < n; i++)
            complete(&entries[i]);
        events += n == -FI_EAVAIL ? 1 : n > 0 ? (int)n : 0;
        if (n < 16 && n != -FI_EAVAIL)
            break;
    }
    struct ofi_operation *again = unposted;
    unposted = NULL;
    for (struct ofi_operation *next; again; again = next) {
        next = again->next;
        post(again);
    }
    ofi_memory_turn();
    if (moment - last_look > life / 2)
        look_after();
    return events;
}

/* ---- the conduit ---- */

static void open_endpoint(const struct mer_conduit_room *room, struct mer_conduit_address *address) {
    struct ofi_endpoint own;
    memset(&own, 0, sizeof own);
    ofi_fabric_open(room, &own);
    moment = now();
    for (int i = 0; i < OFI_SENDS; i++) {
        sends[i].kind = OFI_SEND;
        sends[i].buffer = ofi.buffers + (size_t)i * OFI_PACKET;
        sends[i].next = free_sends;
        free_sends = &sends[i];
    }
    for (int i = 0; i < OFI_RECEIVES; i++) {
        receives[i].kind = OFI_RECEIVE;
        receives[i].buffer = ofi.buffers + (size_t)(OFI_SENDS + i) * OFI_PACKET;
        post(&receives[i]);
    }
    _Static_assert(sizeof own <= MER_CONDUIT_ADDRESS, "an endpoint's address has to fit");
    address->length = sizeof own;
    memcpy(address->bytes, &own, sizeof own);
}

static void know_peers(const struct mer_conduit_address *addresses) {
    struct ofi_endpoint peer;
    ofi_peers = calloc((size_t)ofi.room->threads, sizeof *ofi_peers);
    if (!ofi_peers)
        ofi.room->fail("no memory for %d addresses", ofi.room->threads);
    for (int i = 0; i < ofi.room->threads; i++) {
        if (mer_conduit_here(ofi.room, i))
            continue;
        memcpy(&peer, addresses[i].bytes, sizeof peer);
        const char *own = ofi.info->fabric_attr->prov_name;
        if (addresses[i].length != sizeof peer)
            ofi.room->fail("thread %d has another conduit; set MERIDIAN_CONDUIT alike on all hosts", i);
        if (strncmp(peer.provider, own, sizeof peer.provider - 1) != 0)
            ofi.room->fail("libfabric has chosen provider %s here and %s for thread %d; name one that all "
                           "hosts have with FI_PROVIDER, or set MERIDIAN_CONDUIT=tcp",
                           own, peer.provider, i);
        ofi_peers[i] = (struct ofi_peer){.key = peer.key, .base = peer.base, .has_memory = peer.has_memory};
        ofi_gone_know(&ofi_peers[i], &peer);
        if (fi_av_insert(ofi.av, peer.name, 1, &ofi_peers[i].address, 0, NULL) != 1)
            ofi.room->fail("the address of thread %d is not one of provider %s", i, own);
    }
}

static int poll_queue(void) {
    delivered = 0;
    turn();
    return delivered;
}

static int wait_fd(void) { return ofi.wait_fd; }

static bool may_sleep(void) {
    struct fid *queue = &ofi.cq->fid;
    return !unposted && fi_trywait(ofi.fabric, &queue, 1) == FI_SUCCESS;
}

/* Each peer that has talked is told goodbye, behind all packets; the ends are closed when nothing is under
 * way any more and nothing more can come, lest a connection be reset with packets in it. */
static void close_endpoint(void) {
    bool *told = calloc((size_t)ofi.room->threads, sizeof *told), done = !told;
    closing = true;
    for (double until = now() + CLOSING_SECONDS; !done && now() < until;) {
        struct pollfd wait = {.fd = ofi.wait_fd, .events = POLLIN};
        done = true;
        for (int i = 0; i < ofi.room->threads; i++) {
            struct ofi_peer *p = &ofi_peers[i];
            if (!p->talked)
                continue;
            const struct iovec nothing = {(void *)(uintptr_t) "", 1};
            told[i] = told[i] || send_buffered(i, GOODBYE, &nothing, 1);
            done = done && told[i] && p->finished;
        }
        done = done && !sending;
        if (turn() > 0)
            until = now() + CLOSING_SECONDS;
        else if (!done && may_sleep())
            poll(&wait, 1, 10);
    }
    free(told);
    free(ofi_peers);
    ofi_fabric_close();
}

static struct mer_conduit conduit = {
    .abi = MER_CONDUIT_ABI,
    .name = "ofi",
    .packet_most = OFI_PACKET,
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

struct mer_conduit *mer_conduit_module(void);
__attribute__((visibility("default"))) struct mer_conduit *mer_conduit_module(void) { return &conduit; }
