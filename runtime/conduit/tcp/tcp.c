/* The conduit `tcp': packets over plain TCP sockets, and nothing more.
 *
 * Each thread listens at the addresses of its host that others may use.  A connection is made with the first
 * packet to a thread, unless that thread has connected before.  Both directions share it, so that
 * acknowledgements go with answers.  The caller shows a key, which it knows from the endpoint's address, and
 * sends packets once it has been welcomed; a caller without the key is rejected.  If two threads call each
 * other at the same time, the call of the lower thread wins.  The higher one answers it with a welcome and
 * drops its own call, which has not been welcomed; the lower one does not answer the other call.  All sockets
 * are watched by one epoll descriptor, on which the progress thread sleeps.
 */
#include "conduit/conduit.h"
#include "conduit/conduits.h"
#include "base/clock.h"
#include "base/limits.h"
#include "conduit/sockets.h"
#include "conduit/frames.h"
#include "conduit/tcp/address.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <unistd.h>

#define HELD_LEAST 8192     /* bytes of a packet that may leave with the next, */
#define HELD_MOST 40000     /* and those beyond which it gains nothing by that */
#define CLOSING_SECONDS 5.0 /* at the end: how long to wait for the peers' goodbye */

/* An endpoint of this conduit. */
struct tcp {
    struct mer_conduit_endpoint end; /* first */
    const struct mer_conduit_client *client;
    struct mer_tcp_address own;
    struct mer_tcp_address *endpoints; /* of all threads */
    struct mer_link **out;             /* by thread: the link that packets to it take; null: none yet */
    struct mer_link *links;            /* all */
    int listeners[MER_HOST_ADDRESSES]; /* -1: no peer calls at this address */
    int epoll;
    int connecting;          /* how many links are */
    int delivered;           /* in this poll */
    bool held;               /* some link may be */
    unsigned looks;          /* at `lately', since epoll_wait */
    struct mer_link *lately; /* where the last packet came from */
    bool closing;
    struct mer_link_buffer buffer;
};

static double silence(const struct tcp *tcp) { return tcp->client->silence > 0 ? tcp->client->silence : 30; }

static void watch_socket(const struct tcp *tcp, int fd, struct mer_link *link, int operation,
                         uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = link};
    if (epoll_ctl(tcp->epoll, operation, fd, &event) != 0)
        tcp->client->fail(tcp->client->user, "epoll_ctl: %s", strerror(errno));
}

static void watch(const struct tcp *tcp, struct mer_link *link, int operation, uint32_t events) {
    watch_socket(tcp, link->fd, link, operation, events);
}

/* Watch for capacity to write while something is unsent, and only then. */
static void watch_write(struct tcp *tcp, struct mer_link *link) {
    bool wanted = link->calling || (link->unsent && !link->connecting);
    if (wanted != link->wants_write && !link->ended)
        watch(tcp, link, EPOLL_CTL_MOD, EPOLLIN | (wanted ? EPOLLOUT : 0));
    link->wants_write = wanted;
}

static struct mer_link *link_new(struct tcp *tcp, int fd, int peer) {
    struct mer_link *link = calloc(1, sizeof *link);
    if (!link)
        tcp->client->fail(tcp->client->user, "no memory for a connection");
    link->endpoint = tcp;
    link->fd = fd;
    link->peer = peer;
    link->next = tcp->links;
    tcp->links = link;
    return link;
}

static void link_free(struct tcp *tcp, struct mer_link *link) {
    struct mer_link **at = &tcp->links;
    while (*at != link)
        at = &(*at)->next;
    *at = link->next;
    if (tcp->lately == link)
        tcp->lately = NULL;
    close(link->fd);
    mer_link_drop(link);
    mer_link_forget(link);
    free(link);
}

/* The result of a call that makes a descriptor. */
static int checked(const struct tcp *tcp, int fd) {
    if (fd < 0 && (errno == EMFILE || errno == ENFILE))
        tcp->client->fail(tcp->client->user, "no connection can be made: %s", mer_limit_text(errno));
    return fd;
}

/* Nothing goes over this connection any more.  Once the peer has said goodbye, or we close ourselves after
 * the last barrier, nothing is lost by that; the socket stays until close, lest what we sent be discarded. */
static void end_link(struct tcp *tcp, struct mer_link *link, const char *cause) {
    if (!tcp->closing && !link->finished)
        tcp->client->lost(tcp->client->user, link->peer, cause); /* returns if the peer has ended in order */
    mer_link_drop(link);
    if (!link->ended && link->fd >= 0)
        epoll_ctl(tcp->epoll, EPOLL_CTL_DEL, link->fd, NULL);
    link->ended = true;
}

/* The connection is at its end, or broken (errno). */
static void broken(struct tcp *tcp, struct mer_link *link) {
    bool closed = errno == ECONNRESET || errno == EPIPE;
    end_link(tcp, link, closed ? "the connection was closed" : strerror(errno));
}

/* ---- connecting: the peer's addresses one after the other ---- */

/* Call the peer at the link's next address, at `candidate' or after; lost after the last. */
static void call(struct tcp *tcp, struct mer_link *link) {
    const struct mer_tcp_address *peer = &tcp->endpoints[link->peer];
    char text[INET6_ADDRSTRLEN], message[320];
    int first = 0; /* that was tried */
    link->fd = checked(tcp, mer_socket_call(&peer->host, &tcp->own.host, silence(tcp), &link->candidate));
    link->calling = link->wants_write = link->fd >= 0;
    if (link->fd >= 0) {
        link->deadline = mer_clock_seconds() + silence(tcp) / peer->host.count;
        watch(tcp, link, EPOLL_CTL_ADD, EPOLLIN | EPOLLOUT);
        return;
    }
    int error = link->cause ? link->cause : errno;
    link->connecting = false;
    tcp->connecting--;
    while (first + 1 < peer->host.count &&
           !mer_address_leads_to(&peer->host, &peer->host.addresses[first], &tcp->own.host))
        first++;
    snprintf(message, sizeof message, "no connection to %s port %d: %s",
             mer_address_text(&peer->host.addresses[first], text), peer->host.ports[first],
             error == EHOSTUNREACH ? "none of its addresses can be reached from this host"
                                   : mer_limit_text(error));
    end_link(tcp, link, message);
}

static struct mer_link *connect_to(struct tcp *tcp, int peer) {
    struct mer_link *link = link_new(tcp, -1, peer);
    link->connecting = true;
    tcp->connecting++;
    call(tcp, link);
    return link;
}

/* The call has not been welcomed at the address tried. */
static void unanswered(struct tcp *tcp, struct mer_link *link, int error) {
    close(link->fd); /* which also takes it from the epoll descriptor */
    link->candidate++;
    link->cause = error;
    call(tcp, link);
}

/* connect(2) has ended. */
static void connected(struct tcp *tcp, struct mer_link *link) {
    struct mer_tcp_hello hello = {.from = tcp->client->thread, .to = link->peer};
    memcpy(hello.key, tcp->endpoints[link->peer].key, sizeof hello.key);
    int error = 0;
    socklen_t length = sizeof error;
    getsockopt(link->fd, SOL_SOCKET, SO_ERROR, &error, &length);
    link->calling = false;
    if (!error)
        mer_socket_made(link->fd);
    if (!error && mer_link_send(link, MER_FRAME_HELLO, &(struct iovec){&hello, sizeof hello}, 1, false) < 0)
        error = errno;
    if (error)
        unanswered(tcp, link, error);
    else
        watch_write(tcp, link);
}

/* Packets may go over this link from now on. */
static void welcome(struct tcp *tcp, struct mer_link *link) {
    link->connecting = false;
    tcp->connecting--;
    watch_write(tcp, link);
}

static void accept_all(struct tcp *tcp) {
    for (int i = 0, fd; i < tcp->own.host.count; i++)
        while (tcp->listeners[i] >= 0 &&
               (fd = checked(tcp, mer_socket_accept(tcp->listeners[i], silence(tcp)))) >= 0)
            watch(tcp, link_new(tcp, fd, -1), EPOLL_CTL_ADD, EPOLLIN);
}

/* ---- what comes ---- */

/* The first frame of an accepted link: who is there? */
static bool take_hello(struct tcp *tcp, struct mer_link *link, const void *bytes, size_t n) {
    struct mer_tcp_hello hello;
    if (n != sizeof hello || link->peer >= 0)
        return false;
    memcpy(&hello, bytes, sizeof hello);
    if (memcmp(hello.key, tcp->own.key, sizeof tcp->own.key) != 0 || hello.to != tcp->client->thread ||
        hello.from < 0 || hello.from >= tcp->client->threads || mer_conduit_here(tcp->client, hello.from))
        return false;
    struct mer_link *own_call = tcp->out[hello.from];
    if (own_call && (tcp->client->thread < hello.from || !own_call->connecting))
        return true;
    if (mer_link_send(link, MER_FRAME_WELCOME, NULL, 0, false) < 0)
        return false;
    link->peer = hello.from;
    tcp->out[link->peer] = link;
    if (own_call) {
        mer_link_move(link, own_call);
        welcome(tcp, own_call);
        own_call->finished = true;
        end_link(tcp, own_call, "");
        watch_write(tcp, link);
    }
    return true;
}

static bool take(struct mer_link *link, enum mer_link_frame kind, const void *bytes, size_t n) {
    struct tcp *tcp = link->endpoint;
    if (kind == MER_FRAME_HELLO || link->peer < 0)
        return kind == MER_FRAME_HELLO && take_hello(tcp, link, bytes, n);
    if (kind == MER_FRAME_GOODBYE) {
        link->finished = true;
    } else if (kind == MER_FRAME_WELCOME) {
        if (link->connecting)
            welcome(tcp, link);
    } else if (!tcp->closing) {
        tcp->delivered++;
        tcp->lately = link;
        tcp->client->deliver(tcp->client->user, link->peer, bytes, n);
    }
    return true;
}

static int land(struct mer_link *link, const void *packet, size_t have, size_t length, size_t *at,
                struct iovec *parts) {
    const struct tcp *tcp = link->endpoint;
    const struct mer_conduit_client *client = tcp->client;
    bool may = link->peer >= 0 && client->land && !tcp->closing;
    return may ? client->land(client->user, link->peer, packet, have, length, at, parts) : 0;
}

static void receive(struct tcp *tcp, struct mer_link *link) {
    if (mer_link_receive(link, &tcp->buffer, take, land))
        return;
    if (link->peer < 0)
        link_free(tcp, link); /* a stranger, or a call that was dropped */
    else if (link->connecting)
        unanswered(tcp, link, errno);
    else
        broken(tcp, link);
}

/* Serve the sockets that are ready, after waiting for up to `milliseconds' if none is; how many were. */
static int turn(struct tcp *tcp, int milliseconds) {
    struct epoll_event events[64];
    int count = epoll_wait(tcp->epoll, events, 64, milliseconds);
    for (int i = 0; i < count; i++) {
        struct mer_link *link = events[i].data.ptr;
        if (!link) {
            accept_all(tcp);
            continue;
        }
        if (link->ended)
            continue; /* since it was reported */
        if (link->calling)
            connected(tcp, link);
        else if (events[i].events & ~(uint32_t)EPOLLOUT)
            receive(tcp, link);
        else if (mer_link_flush(link))
            watch_write(tcp, link);
        else
            broken(tcp, link);
    }
    /* The welcome is a program's, which may be slow. */
    for (struct mer_link *link = tcp->connecting ? tcp->links : NULL; link; link = link->next)
        if (link->calling && mer_clock_seconds() > link->deadline)
            unanswered(tcp, link, ETIMEDOUT);
    return count;
}

/* ---- the conduit ---- */

/* Listen at every address of the host: which of them others use is known once the peers' addresses are. */
static void listen_at_all(struct tcp *tcp) {
    struct mer_host_addresses *host = &tcp->own.host;
    int given = host->count;
    host->count = 0;
    for (int i = 0; i < given; i++) {
        in_port_t port;
        int fd = mer_socket_listen(&host->addresses[i], &port);
        if (fd < 0 && errno == EADDRNOTAVAIL && i + 1 < given)
            continue; /* it is not ready: IPv6 looks for duplicates first */
        if (fd < 0)
            tcp->client->fail(tcp->client->user, "cannot listen: %s", mer_limit_text(errno));
        host->addresses[host->count] = host->addresses[i];
        host->ports[host->count] = port;
        tcp->listeners[host->count++] = fd;
        watch_socket(tcp, fd, NULL, EPOLL_CTL_ADD, EPOLLIN);
    }
}

/* Does any peer call at this address? */
static bool is_used(const struct tcp *tcp, const struct in6_addr *address) {
    for (int i = 0; i < tcp->client->threads; i++)
        if (!mer_conduit_here(tcp->client, i) &&
            mer_address_leads_to(&tcp->own.host, address, &tcp->endpoints[i].host))
            return true;
    return false;
}

/* Close the others.  The peers ask the same function where to call. */
static void listen_where_used(struct tcp *tcp) {
    for (int i = 0; i < tcp->own.host.count; i++)
        if (!is_used(tcp, &tcp->own.host.addresses[i])) {
            close(tcp->listeners[i]);
            tcp->listeners[i] = -1;
        }
}

static struct mer_conduit_endpoint *open_endpoint(const struct mer_conduit_client *client,
                                                  struct mer_conduit_address *address) {
    struct tcp *tcp = calloc(1, sizeof *tcp);
    if (!tcp)
        client->fail(client->user, "no memory for an endpoint");
    tcp->end = (struct mer_conduit_endpoint){
        .conduit = &mer_conduit_tcp, .client = client, .packet_most = MER_LINK_PACKET};
    tcp->client = client;
    mer_raise_descriptors(); /* one a peer */
    tcp->epoll = checked(tcp, epoll_create1(EPOLL_CLOEXEC));
    errno = 0;
    if (!mer_host_addresses(client->interface, &tcp->own.host)) {
        checked(tcp, -1);
        client->fail(client->user, "this host has no network interface that is up%s%s",
                     client->interface ? " and fits MERIDIAN_INTERFACE=" : "",
                     client->interface ? client->interface : "");
    }
    if (getrandom(tcp->own.key, sizeof tcp->own.key, 0) != sizeof tcp->own.key)
        client->fail(client->user, "getrandom: %s", strerror(errno));
    if (tcp->epoll < 0)
        client->fail(client->user, "cannot listen: %s", mer_limit_text(errno));
    listen_at_all(tcp);
    address->length = sizeof tcp->own;
    memcpy(address->bytes, &tcp->own, sizeof tcp->own);
    return &tcp->end;
}

static void know_peers(struct mer_conduit_endpoint *end, const struct mer_conduit_address *addresses) {
    struct tcp *tcp = (struct tcp *)end;
    int threads = tcp->client->threads;
    tcp->endpoints = calloc((size_t)threads, sizeof *tcp->endpoints);
    tcp->out = calloc((size_t)threads, sizeof(struct mer_link *));
    if (!tcp->endpoints || !tcp->out)
        tcp->client->fail(tcp->client->user, "no memory for %d addresses", threads);
    for (int i = 0; i < threads; i++)
        if (!mer_conduit_here(tcp->client, i)) {
            if (addresses[i].length != sizeof tcp->own)
                tcp->client->fail(tcp->client->user,
                                  "thread %d has another conduit; set MERIDIAN_CONDUIT alike", i);
            memcpy(&tcp->endpoints[i], addresses[i].bytes, sizeof tcp->own);
        }
    listen_where_used(tcp);
}

/* Packets that are sent one behind the other, those of a transfer or answers to what one poll has read, leave
 * together: each that leaves by itself costs the kernels as much as four times its bytes.  A short one leaves
 * at once: somebody waits for it. */
static bool may_be_held(const struct iovec *parts, int nparts) {
    size_t length = 0;
    for (int i = 0; i < nparts; i++)
        length += parts[i].iov_len;
    return length >= HELD_LEAST && length <= HELD_MOST;
}

static bool send_packet(struct mer_conduit_endpoint *end, int to, const struct iovec *parts, int nparts) {
    struct tcp *tcp = (struct tcp *)end;
    if (!tcp->out[to])
        tcp->out[to] = connect_to(tcp, to);
    struct mer_link *link = tcp->out[to];
    if (link->ended)
        return true; /* it has ended in order: to nobody */
    bool more = end->more && may_be_held(parts, nparts);
    int result = mer_link_send(link, MER_FRAME_PACKET, parts, nparts, more);
    tcp->held = tcp->held || link->held;
    if (result < 0)
        broken(tcp, link);
    watch_write(tcp, link);
    return result != 0;
}

/* Poll is over: what was held back leaves. */
static void release(struct tcp *tcp) {
    for (struct mer_link *link = tcp->held ? tcp->links : NULL; link; link = link->next)
        mer_link_release(link);
    tcp->held = false;
}

/* Read from one link.  That it has ended is left to epoll_wait, which says so in the order of events. */
static void look_straight(struct tcp *tcp, struct mer_link *link) {
    if (mer_link_receive(link, &tcp->buffer, take, land))
        return;
    tcp->lately = NULL;
    if (errno != ECONNRESET)
        broken(tcp, link);
}

/* A peer that has just sent something is likely to send again.  So its link is read first, by one system call
 * instead of two, and the others every fourth time.  But a link that has been read keeps its place in the
 * kernel's list of ready descriptors until epoll_wait finds that it is not ready.  So epoll_wait is called
 * next; else the end of this link could be reported before that of another which ended earlier, and is the
 * cause. */
static int poll_links(struct mer_conduit_endpoint *end) {
    enum { STRAIGHT = 3 };
    struct tcp *tcp = (struct tcp *)end;
    struct mer_link *link = tcp->lately;
    tcp->delivered = 0;
    if (!link || link->ended || tcp->looks == STRAIGHT) {
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

static int wait_fd(struct mer_conduit_endpoint *end) { return ((struct tcp *)end)->epoll; }

/* The epoll descriptor is level-triggered: what is still to do makes it readable. */
static bool may_sleep(struct mer_conduit_endpoint *end) {
    (void)end;
    return true;
}

/* Go on with the end of a link: goodbye behind all packets, then the end of our stream.  True: that is done,
 * and the peer's end has been seen, so that nothing of ours can be lost by closing the socket. */
static bool finish(struct tcp *tcp, struct mer_link *link) {
    if (link->ended || link->peer < 0)
        return true;
    if (!link->said_goodbye && !link->connecting) {
        int result = mer_link_send(link, MER_FRAME_GOODBYE, NULL, 0, false);
        if (result < 0)
            broken(tcp, link);
        link->said_goodbye = result != 0;
        watch_write(tcp, link);
    }
    if (link->said_goodbye && !link->unsent)
        shutdown(link->fd, SHUT_WR);
    return link->ended;
}

static void close_endpoint(struct mer_conduit_endpoint *end) {
    struct tcp *tcp = (struct tcp *)end;
    tcp->closing = true;
    bool done = false;
    for (double until = mer_clock_seconds() + CLOSING_SECONDS; !done && mer_clock_seconds() < until;) {
        bool unsent = false;
        done = true;
        for (struct mer_link *link = tcp->links; link; link = link->next) {
            done = finish(tcp, link) && done;
            unsent = unsent || link->unsent;
        }
        if (!done && turn(tcp, 20) > 0) /* something moves: the time counts from here */
            until = mer_clock_seconds() + (unsent ? silence(tcp) : CLOSING_SECONDS);
    }
    while (tcp->links)
        link_free(tcp, tcp->links);
    for (int i = 0; i < tcp->own.host.count; i++)
        if (tcp->listeners[i] >= 0)
            close(tcp->listeners[i]);
    close(tcp->epoll);
    free(tcp->endpoints);
    free(tcp->out);
    free(tcp);
}

const struct mer_conduit mer_conduit_tcp = {
    .abi = MER_CONDUIT_ABI,
    .name = "tcp",
    .open = open_endpoint,
    .connect = know_peers,
    .send = send_packet,
    .poll = poll_links,
    .wait_fd = wait_fd,
    .may_sleep = may_sleep,
    .close = close_endpoint,
};
