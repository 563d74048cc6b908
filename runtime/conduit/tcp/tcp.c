/* The conduit `tcp': packets over plain TCP sockets, and nothing more.  It is there to be read by
 * whoever writes the next conduit (README.md), and to run everything where there is no libfabric.
 *
 * Each thread listens on one socket.  A connection is made with the first packet to a thread, unless that
 * thread has connected before; both directions share it, so that acknowledgements go with answers.  Who calls
 * shows a key that only the endpoint's address has told him, and sends packets once he is welcome; strangers
 * are turned away.  Two threads may call each other at once: the higher one drops its own call, on which it
 * was not made welcome, for the other's; the lower one lets the call that it gets in vain be.  All sockets
 * are watched by one epoll descriptor, which is what the progress thread sleeps on.
 */
#include "conduit/conduit.h"
#include "conduit/sockets.h"
#include "conduit/frames.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define CLOSING_SECONDS 5.0 /* at the end: how long to wait for the peers' goodbye */

/* What is in a mer_conduit_address. */
struct endpoint {
    unsigned char key[16]; /* of this endpoint alone: a random number */
    in_port_t port;
    struct mer_host_addresses host;
};
_Static_assert(sizeof(struct endpoint) <= MER_CONDUIT_ADDRESS, "an endpoint's address has to fit");

/* The first frame of a connection. */
struct hello {
    unsigned char key[16]; /* of the endpoint that is called */
    int32_t from, to;
};

static const struct mer_conduit_room *room;
static struct endpoint own;
static struct endpoint *endpoints; /* of all threads */
static struct mer_link **out;      /* by thread: the link that packets to it take; null: none yet */
static struct mer_link *links;     /* all */
static int listener = -1, epoll = -1;
static int connecting;          /* how many links are */
static int delivered;           /* in this poll */
static struct mer_link *lately; /* where the last packet came from */
static bool closing;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double silence(void) { return room->silence > 0 ? room->silence : 30; }

static void watch(struct mer_link *link, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = link};
    if (epoll_ctl(epoll, operation, link ? link->fd : listener, &event) != 0)
        room->fail("epoll_ctl: %s", strerror(errno));
}

/* Watch for room to write while something is unsent, and only then. */
static void watch_room(struct mer_link *link) {
    bool wanted = link->calling || (link->unsent && !link->connecting);
    if (wanted != link->wants_room && !link->ended)
        watch(link, EPOLL_CTL_MOD, EPOLLIN | (wanted ? EPOLLOUT : 0));
    link->wants_room = wanted;
}

static struct mer_link *link_new(int fd, int peer) {
    struct mer_link *link = calloc(1, sizeof *link);
    if (!link)
        room->fail("no memory for a connection");
    link->fd = fd;
    link->peer = peer;
    link->next = links;
    links = link;
    return link;
}

static void link_free(struct mer_link *link) {
    struct mer_link **at = &links;
    while (*at != link)
        at = &(*at)->next;
    *at = link->next;
    close(link->fd);
    mer_link_drop(link);
    free(link->partial);
    free(link);
}

/* The result of a call that makes a descriptor. */
static int checked(int fd) {
    if (fd < 0 && (errno == EMFILE || errno == ENFILE))
        room->fail("no connection can be made: %s", mer_limit_text(errno));
    return fd;
}

/* Nothing goes over this connection any more.  Once the peer has said goodbye, or we close ourselves after
 * the last barrier, nothing is lost by that; the socket stays until close, lest what we sent be discarded. */
static void end_link(struct mer_link *link, const char *cause) {
    if (!closing && !link->finished)
        room->lost(link->peer, cause); /* returns if the peer has ended in order */
    mer_link_drop(link);
    if (!link->ended && link->fd >= 0)
        epoll_ctl(epoll, EPOLL_CTL_DEL, link->fd, NULL);
    link->ended = true;
}

/* The connection is at its end, or broken (errno). */
static void broken(struct mer_link *link) {
    bool closed = errno == ECONNRESET || errno == EPIPE;
    end_link(link, closed ? "the connection was closed" : strerror(errno));
}

/* ---- connecting: the peer's addresses one after the other ---- */

/* Call the peer at the link's next address, at `candidate' or after; lost after the last. */
static void call(struct mer_link *link) {
    const struct endpoint *peer = &endpoints[link->peer];
    char text[INET6_ADDRSTRLEN], message[320];
    link->fd = checked(mer_socket_call(&peer->host, peer->port, &own.host, silence(), &link->candidate));
    link->calling = link->wants_room = link->fd >= 0;
    if (link->fd >= 0) {
        link->deadline = now() + silence() / peer->host.count;
        watch(link, EPOLL_CTL_ADD, EPOLLIN | EPOLLOUT);
        return;
    }
    int error = link->cause ? link->cause : errno;
    link->connecting = false;
    connecting--;
    snprintf(message, sizeof message, "no connection to %s port %d: %s",
             peer->host.count ? mer_address_text(&peer->host.addresses[0], text) : "it", peer->port,
             error == EHOSTUNREACH ? "none of its addresses can be reached from this host"
                                   : mer_limit_text(error));
    end_link(link, message);
}

static struct mer_link *connect_to(int peer) {
    struct mer_link *link = link_new(-1, peer);
    link->connecting = true;
    connecting++;
    call(link);
    return link;
}

/* Nobody has made this call welcome at the address tried. */
static void unanswered(struct mer_link *link, int error) {
    close(link->fd); /* which also takes it from the epoll descriptor */
    link->candidate++;
    link->cause = error;
    call(link);
}

/* connect(2) has ended. */
static void connected(struct mer_link *link) {
    struct hello hello = {.from = room->thread, .to = link->peer};
    memcpy(hello.key, endpoints[link->peer].key, sizeof hello.key);
    int error = 0;
    socklen_t length = sizeof error;
    getsockopt(link->fd, SOL_SOCKET, SO_ERROR, &error, &length);
    link->calling = false;
    if (!error && mer_link_send(link, MER_FRAME_HELLO, &(struct iovec){&hello, sizeof hello}, 1) < 0)
        error = errno;
    if (error)
        unanswered(link, error);
    else
        watch_room(link);
}

/* Packets may go over this link from now on. */
static void welcome(struct mer_link *link) {
    link->connecting = false;
    connecting--;
    watch_room(link);
}

static void accept_all(void) {
    int fd;
    while ((fd = checked(mer_socket_accept(listener, silence()))) >= 0)
        watch(link_new(fd, -1), EPOLL_CTL_ADD, EPOLLIN);
}

/* ---- what comes ---- */

/* The first frame of an accepted link: who is there? */
static bool take_hello(struct mer_link *link, const void *bytes, size_t n) {
    struct hello hello;
    if (n != sizeof hello || link->peer >= 0)
        return false;
    memcpy(&hello, bytes, sizeof hello);
    if (memcmp(hello.key, own.key, sizeof own.key) != 0 || hello.to != room->thread || hello.from < 0 ||
        hello.from >= room->threads)
        return false;
    struct mer_link *own_call = out[hello.from];
    if (own_call && (room->thread < hello.from || !own_call->connecting))
        return true;
    if (mer_link_send(link, MER_FRAME_WELCOME, NULL, 0) < 0)
        return false;
    link->peer = hello.from;
    out[link->peer] = link;
    if (own_call) {
        mer_link_move(link, own_call);
        welcome(own_call);
        own_call->finished = true;
        end_link(own_call, "");
        watch_room(link);
    }
    return true;
}

static bool take(struct mer_link *link, enum mer_link_frame kind, const void *bytes, size_t n) {
    if (kind == MER_FRAME_HELLO || link->peer < 0)
        return kind == MER_FRAME_HELLO && take_hello(link, bytes, n);
    if (kind == MER_FRAME_GOODBYE) {
        link->finished = true;
    } else if (kind == MER_FRAME_WELCOME) {
        if (link->connecting)
            welcome(link);
    } else if (!closing) {
        delivered++;
        lately = link;
        room->deliver(link->peer, bytes, n);
    }
    return true;
}

static void *land(struct mer_link *link, const void *packet, size_t have, size_t length, size_t *at) {
    bool may = link->peer >= 0 && room->land && !closing;
    return may ? room->land(link->peer, packet, have, length, at) : NULL;
}

static void receive(struct mer_link *link) {
    if (mer_link_receive(link, take, land))
        return;
    if (link->peer < 0)
        link_free(link); /* a stranger, or a call that was dropped */
    else if (link->connecting)
        unanswered(link, errno);
    else
        broken(link);
}

/* Do what there is to do, after waiting for `milliseconds' if there is nothing; how many sockets had some. */
static int turn(int milliseconds) {
    struct epoll_event events[64];
    int count = epoll_wait(epoll, events, 64, milliseconds);
    for (int i = 0; i < count; i++) {
        struct mer_link *link = events[i].data.ptr;
        if (!link) {
            accept_all();
            continue;
        }
        if (link->ended)
            continue; /* since it was reported */
        if (link->calling)
            connected(link);
        else if (events[i].events & ~(uint32_t)EPOLLOUT)
            receive(link);
        else if (mer_link_flush(link))
            watch_room(link);
        else
            broken(link);
    }
    for (struct mer_link *link = connecting ? links : NULL; link; link = link->next)
        if (link->calling && now() > link->deadline) /* the welcome is a program's, which may be slow */
            unanswered(link, ETIMEDOUT);
    return count;
}

/* ---- the conduit ---- */

static void open_endpoint(const struct mer_conduit_room *given, struct mer_conduit_address *address) {
    room = given;
    const char *interface = getenv("MERIDIAN_INTERFACE");
    bool chosen = interface && *interface;
    mer_raise_descriptors(); /* one a peer */
    epoll = checked(epoll_create1(EPOLL_CLOEXEC));
    errno = 0;
    if (!mer_host_addresses(&own.host)) {
        checked(-1);
        room->fail("this host has no network interface that is up%s%s",
                   chosen ? " and fits MERIDIAN_INTERFACE=" : "", chosen ? interface : "");
    }
    if (getrandom(own.key, sizeof own.key, 0) != sizeof own.key)
        room->fail("getrandom: %s", strerror(errno));
    listener = mer_socket_listen(chosen ? &own.host.addresses[0] : NULL, &own.port);
    if (listener < 0 || epoll < 0)
        room->fail("cannot listen: %s", mer_limit_text(errno));
    watch(NULL, EPOLL_CTL_ADD, EPOLLIN);
    address->length = sizeof own;
    memcpy(address->bytes, &own, sizeof own);
}

static void know_peers(const struct mer_conduit_address *addresses) {
    endpoints = calloc((size_t)room->threads, sizeof *endpoints);
    out = calloc((size_t)room->threads, sizeof *out);
    if (!endpoints || !out)
        room->fail("no memory for %d addresses", room->threads);
    for (int i = 0; i < room->threads; i++)
        if (!mer_conduit_here(room, i)) {
            if (addresses[i].length != sizeof own)
                room->fail("thread %d has another conduit; set MERIDIAN_CONDUIT alike", i);
            memcpy(&endpoints[i], addresses[i].bytes, sizeof own);
        }
}

static bool send_packet(int to, const struct iovec *parts, int nparts) {
    if (!out[to])
        out[to] = connect_to(to);
    struct mer_link *link = out[to];
    if (link->ended)
        return true; /* it has ended in order: to nobody */
    int result = mer_link_send(link, MER_FRAME_PACKET, parts, nparts);
    if (result < 0)
        broken(link);
    watch_room(link);
    return result != 0;
}

/* Read from one link.  That it has ended is left to epoll_wait, which says so in the order of events. */
static void look_straight(struct mer_link *link) {
    if (mer_link_receive(link, take, land))
        return;
    lately = NULL;
    if (errno != ECONNRESET)
        broken(link);
}

/* Who has just sent something is likely to send again: it is looked at first, by one call of the system
 * instead of two, and the others every fourth time.  But a link that has been read keeps its place in the
 * kernel's list of those that are ready until epoll_wait finds that it is not.  So that is asked next, lest
 * the end of this link be reported before that of another which ended earlier, and is the cause. */
static int poll_links(void) {
    enum { STRAIGHT = 3 };
    static unsigned looks; /* since epoll_wait */
    struct mer_link *link = lately;
    delivered = 0;
    if (!link || link->ended || looks == STRAIGHT) {
        looks = 0;
        turn(0);
    } else {
        looks++;
        look_straight(link);
    }
    if (delivered)
        looks = STRAIGHT;
    return delivered;
}

static int wait_fd(void) { return epoll; }

/* The epoll descriptor is level-triggered: what is still to do makes it readable. */
static bool may_sleep(void) { return true; }

/* Go on with the end of a link: goodbye behind all packets, then the end of our stream.  True: that is done,
 * and the peer's end has been seen, so that nothing of ours can be lost by closing the socket. */
static bool finish(struct mer_link *link) {
    if (link->ended || link->peer < 0)
        return true;
    if (!link->said_goodbye && !link->connecting) {
        int result = mer_link_send(link, MER_FRAME_GOODBYE, NULL, 0);
        if (result < 0)
            broken(link);
        link->said_goodbye = result != 0;
        watch_room(link);
    }
    if (link->said_goodbye && !link->unsent)
        shutdown(link->fd, SHUT_WR);
    return link->ended;
}

static void close_all(void) {
    closing = true;
    bool done = false;
    for (double until = now() + CLOSING_SECONDS; !done && now() < until;) {
        bool unsent = false;
        done = true;
        for (struct mer_link *link = links; link; link = link->next) {
            done = finish(link) && done;
            unsent = unsent || link->unsent;
        }
        if (!done && turn(20) > 0) /* something moves: the time counts from here */
            until = now() + (unsent ? silence() : CLOSING_SECONDS);
    }
    while (links)
        link_free(links);
    close(listener);
    close(epoll);
}

static struct mer_conduit conduit = {
    .abi = MER_CONDUIT_ABI,
    .name = "tcp",
    .packet_most = MER_LINK_PACKET,
    .open = open_endpoint,
    .connect = know_peers,
    .send = send_packet,
    .poll = poll_links,
    .wait_fd = wait_fd,
    .may_sleep = may_sleep,
    .close = close_all,
};

struct mer_conduit *mer_conduit_tcp(void) {
    return &conduit;
}
