/* The conduit `tcp': packets over plain TCP sockets, and nothing more.
 *
 * Each thread listens at the addresses of its host that others may use.  Two threads share one connection,
 * which is made with the first packet from one to the other (calls.c).  Callers that cannot show that they
 * know the endpoint's address are turned away (address.h, strangers.c).  One epoll descriptor watches all
 * sockets and a timer for deadlines; the progress thread sleeps on it.
 */
#include "conduit/conduit.h"
#include "conduit/conduits.h"
#include "base/clock.h"
#include "base/limits.h"
#include "conduit/sockets.h"
#include "conduit/tcp/tcp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define HELD_LEAST 8192     /* shortest packet that may be held back to leave with the next, */
#define HELD_MOST 40000     /* and the longest that gains by it */
#define CLOSING_SECONDS 5.0 /* at the end: how long to wait for the peers' goodbye */

/* ---- connections ---- */

void mer_tcp_watch(const struct mer_tcp *tcp, int fd, void *what, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = what};
    if (epoll_ctl(tcp->epoll, operation, fd, &event) != 0)
        tcp->client->fail(tcp->client->user, "epoll_ctl: %s", strerror(errno));
}

void mer_tcp_watch_write(struct mer_tcp_link *link) {
    bool wanted = link->state == MER_TCP_CALLING || mer_link_waits(&link->stream);
    if (wanted != link->wants_write && link->state != MER_TCP_ENDED && link->stream.fd >= 0)
        mer_tcp_watch(link->tcp, link->stream.fd, link, EPOLL_CTL_MOD, EPOLLIN | (wanted ? EPOLLOUT : 0));
    link->wants_write = wanted;
}

void mer_tcp_due(struct mer_tcp *tcp, double when) {
    struct itimerspec at = {.it_value = {(time_t)when, (long)((when - (double)(time_t)when) * 1e9)}};
    if (tcp->due && tcp->due <= when)
        return;
    tcp->due = when;
    if (timerfd_settime(tcp->timer, TFD_TIMER_ABSTIME, &at, NULL) != 0)
        tcp->client->fail(tcp->client->user, "timerfd_settime: %s", strerror(errno));
}

struct mer_tcp_link *mer_tcp_link_new(struct mer_tcp *tcp, int fd, int peer, enum mer_tcp_state state) {
    struct mer_tcp_link *link = calloc(1, sizeof *link);
    if (!link)
        tcp->client->fail(tcp->client->user, "no memory for a connection");
    link->tcp = tcp;
    link->stream.fd = fd;
    link->peer = peer;
    link->state = state;
    link->next = tcp->links;
    tcp->links = link;
    return link;
}

static void link_free(struct mer_tcp_link *link) {
    if (link->tcp->lately == link)
        link->tcp->lately = NULL;
    if (link->stream.fd >= 0)
        close(link->stream.fd);
    mer_link_drop(&link->stream);
    mer_link_forget(&link->stream);
    if (link->stream.channel)
        mer_channel_free(link->stream.channel);
    free(link);
}

void mer_tcp_discard(struct mer_tcp_link *link) {
    if (link->state == MER_TCP_STRANGER) {
        close(link->stream.fd); /* first: the descriptor may be needed in reserve */
        link->stream.fd = -1;
        mer_tcp_strange_no_more(link);
    } else if (link->stream.fd >= 0) {
        close(link->stream.fd);
        link->stream.fd = -1;
    }
    link->state = MER_TCP_ENDED;
    link->discarded = link->tcp->discarded = true;
}

/* Free discarded connections.  Current events may still refer to them, so this is done when all events have
 * been served. */
static void free_discarded(struct mer_tcp *tcp) {
    for (struct mer_tcp_link **at = &tcp->links, *link; tcp->discarded && (link = *at);)
        if (link->discarded) {
            *at = link->next;
            link_free(link);
        } else {
            at = &link->next;
        }
    tcp->discarded = false;
}

int mer_tcp_checked(const struct mer_tcp *tcp, int fd) {
    if (fd < 0 && (errno == EMFILE || errno == ENFILE))
        tcp->client->fail(tcp->client->user, "no connection can be made: %s", mer_limit_text(errno));
    return fd;
}

/* Once the peer has said goodbye, or this endpoint closes after the last barrier, nothing is lost by the end.
 * The socket stays open until close: otherwise sent bytes could be discarded. */
void mer_tcp_end_link(struct mer_tcp_link *link, const char *cause) {
    struct mer_tcp *tcp = link->tcp;
    if (!tcp->closing && !link->finished)
        tcp->client->lost(tcp->client->user, link->peer, cause); /* returns if the peer has ended in order */
    mer_link_drop(&link->stream);
    if (link->state != MER_TCP_ENDED && link->stream.fd >= 0)
        epoll_ctl(tcp->epoll, EPOLL_CTL_DEL, link->stream.fd, NULL);
    link->state = MER_TCP_ENDED;
}

void mer_tcp_broken(struct mer_tcp_link *link) {
    const char *cause = errno == ECONNRESET || errno == EPIPE ? "the connection was closed"
                        : errno == EBADMSG ? "received data fail their authentication: somebody has changed "
                                             "them on the way (MERIDIAN_ENCRYPT)"
                                           : strerror(errno);
    mer_tcp_end_link(link, cause);
}

/* ---- receiving ---- */

static bool take(struct mer_link *stream, enum mer_link_frame kind, const void *bytes, size_t n) {
    struct mer_tcp_link *link = (struct mer_tcp_link *)stream;
    struct mer_tcp *tcp = link->tcp;
    if (kind == MER_FRAME_GOODBYE) {
        link->finished = true;
    } else if (!tcp->closing) {
        tcp->delivered++;
        tcp->lately = link;
        tcp->client->deliver(tcp->client->user, link->peer, bytes, n);
    }
    return true;
}

static int land(struct mer_link *stream, const void *packet, size_t have, size_t length, size_t *at,
                struct iovec *parts) {
    const struct mer_tcp_link *link = (const struct mer_tcp_link *)stream;
    const struct mer_conduit_client *client = link->tcp->client;
    bool may = client->land && !link->tcp->closing;
    return may ? client->land(client->user, link->peer, packet, have, length, at, parts) : 0;
}

void mer_tcp_receive(struct mer_tcp_link *link) {
    if (!mer_link_receive(&link->stream, &link->tcp->buffer, take, land))
        mer_tcp_broken(link);
}

/* Serve an open connection that has something to read, or capacity. */
static void serve(struct mer_tcp_link *link, uint32_t events) {
    if (events & ~(uint32_t)EPOLLOUT)
        mer_tcp_receive(link);
    else if (mer_link_flush(&link->stream))
        mer_tcp_watch_write(link);
    else
        mer_tcp_broken(link);
}

/* Serve the sockets that are ready, after waiting for up to `milliseconds' if none is.  Returns their number.
 * New connections and deadlines come last, so that no connection is dropped while its answer waits to be
 * read. */
static int turn(struct mer_tcp *tcp, int milliseconds) {
    struct epoll_event events[64];
    bool called = false, timed = false;
    uint64_t times;
    int count = epoll_wait(tcp->epoll, events, 64, milliseconds);
    for (int i = 0; i < count; i++) {
        struct mer_tcp_link *link = events[i].data.ptr;
        if (!link)
            called = true;
        else if (events[i].data.ptr == &tcp->timer)
            timed = read(tcp->timer, &times, sizeof times) == sizeof times || timed;
        else if (link->state == MER_TCP_OPEN)
            serve(link, events[i].events);
        else if (link->state != MER_TCP_ENDED) /* it may have ended since epoll_wait */
            mer_tcp_greet(link);
    }
    if (called)
        mer_tcp_accept(tcp);
    if (timed)
        mer_tcp_deadlines(tcp);
    free_discarded(tcp);
    return count;
}

/* ---- the conduit ---- */

/* Listen at every address of the host.  The addresses that other hosts use are not known before the peers'
 * addresses are. */
static void listen_at_all(struct mer_tcp *tcp) {
    struct mer_host_addresses *host = &tcp->own.host;
    int given = host->count;
    host->count = 0;
    for (int i = 0; i < given; i++) {
        in_port_t port;
        int fd = mer_socket_listen(&host->addresses[i], &port);
        if (fd < 0 && errno == EADDRNOTAVAIL && i + 1 < given)
            continue; /* not ready: IPv6 detects duplicate addresses first */
        if (fd < 0)
            tcp->client->fail(tcp->client->user, "cannot listen: %s", mer_limit_text(errno));
        host->addresses[host->count] = host->addresses[i];
        host->ports[host->count] = port;
        tcp->listeners[host->count++] = fd;
        mer_tcp_watch(tcp, fd, NULL, EPOLL_CTL_ADD, EPOLLIN);
    }
}

/* Returns true if any peer calls at this address. */
static bool is_used(const struct mer_tcp *tcp, const struct in6_addr *address) {
    for (int i = 0; i < tcp->client->threads; i++)
        if (!mer_conduit_here(tcp->client, i) &&
            mer_address_leads_to(&tcp->own.host, address, &tcp->endpoints[i].host))
            return true;
    return false;
}

/* Close the listeners at unused addresses.  The peers choose the addresses to call by the same function. */
static void listen_where_used(struct mer_tcp *tcp) {
    for (int i = 0; i < tcp->own.host.count; i++)
        if (!is_used(tcp, &tcp->own.host.addresses[i])) {
            close(tcp->listeners[i]);
            tcp->listeners[i] = -1;
        }
}

/* Make connections secure channels. */
static void encrypt(struct mer_tcp *tcp) {
    const char *why;
    tcp->own.encrypts = true;
    tcp->cipher = mer_cipher_load(&why);
    if (!tcp->cipher)
        tcp->client->fail(tcp->client->user,
                          "MERIDIAN_ENCRYPT=1: %s. Build Meridian where OpenSSL's headers (libssl-dev) are "
                          "installed, see `meridian doctor'",
                          why);
    tcp->buffers = malloc(sizeof *tcp->buffers);
    if (!tcp->buffers)
        tcp->client->fail(tcp->client->user, "no memory for an endpoint");
}

static struct mer_conduit_endpoint *open_endpoint(const struct mer_conduit_client *client,
                                                  struct mer_conduit_address *address) {
    struct mer_tcp *tcp = calloc(1, sizeof *tcp);
    if (!tcp)
        client->fail(client->user, "no memory for an endpoint");
    tcp->end = (struct mer_conduit_endpoint){
        .conduit = &mer_conduit_tcp, .client = client, .packet_most = MER_LINK_PACKET};
    tcp->client = client;
    if (client->encrypt)
        encrypt(tcp);
    mer_raise_descriptors(); /* one for each peer */
    tcp->epoll = mer_tcp_checked(tcp, epoll_create1(EPOLL_CLOEXEC));
    tcp->timer = mer_tcp_checked(tcp, timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
    tcp->spare = -1;
    errno = 0;
    if (!mer_host_addresses(client->interface, &tcp->own.host)) {
        mer_tcp_checked(tcp, -1);
        client->fail(client->user, "this host has no network interface that is up%s%s",
                     client->interface ? " and fits MERIDIAN_INTERFACE=" : "",
                     client->interface ? client->interface : "");
    }
    if (getrandom(tcp->own.key, sizeof tcp->own.key, 0) != sizeof tcp->own.key)
        client->fail(client->user, "getrandom: %s", strerror(errno));
    if (tcp->epoll < 0 || tcp->timer < 0)
        client->fail(client->user, "cannot listen: %s", mer_limit_text(errno));
    mer_tcp_watch(tcp, tcp->timer, &tcp->timer, EPOLL_CTL_ADD, EPOLLIN);
    listen_at_all(tcp);
    if (!mer_tcp_reserve(tcp))
        mer_tcp_checked(tcp, -1);
    address->length = sizeof tcp->own;
    memcpy(address->bytes, &tcp->own, sizeof tcp->own);
    return &tcp->end;
}

static void know_peers(struct mer_conduit_endpoint *end, const struct mer_conduit_address *addresses) {
    struct mer_tcp *tcp = (struct mer_tcp *)end;
    int threads = tcp->client->threads;
    tcp->endpoints = calloc((size_t)threads, sizeof *tcp->endpoints);
    tcp->out = calloc((size_t)threads, sizeof *tcp->out);
    if (!tcp->endpoints || !tcp->out)
        tcp->client->fail(tcp->client->user, "no memory for %d addresses", threads);
    for (int i = 0; i < threads; i++)
        if (!mer_conduit_here(tcp->client, i)) {
            if (addresses[i].length != sizeof tcp->own)
                tcp->client->fail(
                    tcp->client->user,
                    "thread %d has another conduit; set MERIDIAN_CONDUIT to the same value on all hosts", i);
            memcpy(&tcp->endpoints[i], addresses[i].bytes, sizeof tcp->own);
            if (tcp->endpoints[i].encrypts != tcp->own.encrypts)
                tcp->client->fail(tcp->client->user,
                                  "MERIDIAN_ENCRYPT is %d here, but %d for thread %d; set MERIDIAN_ENCRYPT "
                                  "to the same value on all hosts",
                                  (int)tcp->own.encrypts, (int)tcp->endpoints[i].encrypts, i);
        }
    listen_where_used(tcp);
}

/* Returns true if a packet may wait for the next.  Packets that are sent one after the other, those of a
 * transfer or answers to the packets of one poll, leave together: each that leaves by itself costs the
 * kernels as much as four times its bytes.  A short packet leaves at once: somebody waits for it. */
static bool may_be_held(const struct iovec *parts, int nparts) {
    size_t length = 0;
    for (int i = 0; i < nparts; i++)
        length += parts[i].iov_len;
    return length >= HELD_LEAST && length <= HELD_MOST;
}

static bool send_packet(struct mer_conduit_endpoint *end, int to, const struct iovec *parts, int nparts) {
    struct mer_tcp *tcp = (struct mer_tcp *)end;
    if (!tcp->out[to])
        tcp->out[to] = mer_tcp_call(tcp, to);
    struct mer_tcp_link *link = tcp->out[to];
    if (link->state == MER_TCP_ENDED)
        return true; /* the peer has ended in order: the packet is dropped */
    bool more = end->more && may_be_held(parts, nparts);
    int result = mer_link_send(&link->stream, MER_FRAME_PACKET, parts, nparts, more);
    tcp->held = tcp->held || link->stream.held;
    if (result < 0)
        mer_tcp_broken(link);
    mer_tcp_watch_write(link);
    return result != 0;
}

/* Send the bytes that were held back; called at the end of a poll. */
static void release(struct mer_tcp *tcp) {
    for (struct mer_tcp_link *link = tcp->held ? tcp->links : NULL; link; link = link->next)
        mer_link_release(&link->stream);
    tcp->held = false;
}

/* Read from one link.  The end of the link is left to epoll_wait, which reports ends in the order of
 * events. */
static void look_straight(struct mer_tcp *tcp, struct mer_tcp_link *link) {
    if (mer_link_receive(&link->stream, &tcp->buffer, take, land))
        return;
    tcp->lately = NULL;
    if (errno != ECONNRESET)
        mer_tcp_broken(link);
}

/* A peer that has just sent something is likely to send again.  So its link is read first, by one system call
 * instead of two, and the others every fourth time.  But a link that has been read keeps its place in the
 * kernel's list of ready descriptors until epoll_wait finds that it is not ready.  So after a delivery
 * epoll_wait is called next.  Otherwise the end of this link could be reported before the end of another
 * link, which came earlier and is the cause. */
static int poll_links(struct mer_conduit_endpoint *end) {
    enum { STRAIGHT = 3 };
    struct mer_tcp *tcp = (struct mer_tcp *)end;
    struct mer_tcp_link *link = tcp->lately;
    tcp->delivered = 0;
    if (!link || link->state == MER_TCP_ENDED || tcp->looks == STRAIGHT) {
        tcp->looks = 0;
        turn(tcp, 0);
    } else {
        tcp->looks++;
        look_straight(tcp, link);
    }
    release(tcp);
    if (tcp->delivered)
        tcp->looks = STRAIGHT;
    return tcp->delivered;
}

static int wait_fd(struct mer_conduit_endpoint *end) { return ((struct mer_tcp *)end)->epoll; }

/* The epoll descriptor is level-triggered: work that is left makes it readable. */
static bool may_sleep(struct mer_conduit_endpoint *end) {
    (void)end;
    return true;
}

/* Go on with the end of a link: a goodbye after all packets, then the end of the outgoing stream.  Returns
 * true if that is done and the peer's end has been seen, so that closing the socket loses nothing that this
 * end has sent. */
static bool finish(struct mer_tcp_link *link) {
    if (link->state == MER_TCP_ENDED || link->peer < 0)
        return true;
    if (!link->said_goodbye && link->state == MER_TCP_OPEN) {
        int result = mer_link_send(&link->stream, MER_FRAME_GOODBYE, NULL, 0, false);
        if (result < 0)
            mer_tcp_broken(link);
        link->said_goodbye = result != 0;
        mer_tcp_watch_write(link);
    }
    if (link->said_goodbye && !mer_link_waits(&link->stream))
        shutdown(link->stream.fd, SHUT_WR);
    return link->state == MER_TCP_ENDED;
}

static void close_endpoint(struct mer_conduit_endpoint *end) {
    struct mer_tcp *tcp = (struct mer_tcp *)end;
    tcp->closing = true;
    bool done = false;
    for (double until = mer_clock_seconds() + CLOSING_SECONDS; !done && mer_clock_seconds() < until;) {
        bool unsent = false;
        done = true;
        for (struct mer_tcp_link *link = tcp->links; link; link = link->next) {
            done = finish(link) && done;
            unsent = unsent || mer_link_waits(&link->stream);
        }
        if (!done && turn(tcp, 20) > 0) /* something has happened: the time counts from here */
            until = mer_clock_seconds() + (unsent ? mer_tcp_silence(tcp) : CLOSING_SECONDS);
    }
    for (struct mer_tcp_link *link; (link = tcp->links);) {
        tcp->links = link->next;
        link_free(link);
    }
    for (int i = 0; i < tcp->own.host.count; i++)
        if (tcp->listeners[i] >= 0)
            close(tcp->listeners[i]);
    if (tcp->spare >= 0)
        close(tcp->spare);
    close(tcp->timer);
    close(tcp->epoll);
    free(tcp->endpoints);
    free(tcp->out);
    free(tcp->buffers);
    free(tcp);
}

const struct mer_conduit mer_conduit_tcp = {
    .abi = MER_CONDUIT_ABI,
    .name = "tcp",
    .encrypts = true,
    .open = open_endpoint,
    .connect = know_peers,
    .send = send_packet,
    .poll = poll_links,
    .wait_fd = wait_fd,
    .may_sleep = may_sleep,
    .close = close_endpoint,
};
