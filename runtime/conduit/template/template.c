/* The conduit `template': packets over Unix-domain sockets, between the processes of one machine.
 *
 * It is a template to copy when writing a conduit: README.md explains its numbered parts.  It keeps all
 * promises of conduit.h and does nothing for speed.
 *
 * Sockets of type SOCK_SEQPACKET keep packets whole and in order, and report when the other process ends.  A
 * connection carries packets one way: the sending thread makes it, and the other one only reads.
 */
#include "conduit/conduit.h"
#include "conduit/conduits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- 1. what an endpoint is ---- */
#define PACKET 65536    /* longest packet: a few fit into the kernel's buffer for a socket */
#define CLOSING_MS 5000 /* at the end: how long to wait while nothing moves */
/* The first words of a packet: its kind, and the thread that sent it. */
enum { KIND, FROM, WORDS };
enum { DATA = 1, GOODBYE };

struct link {     /* a connection, or the socket that waits for them */
    int fd, peer; /* peer is -1 until the other end has said who it is */
    bool out;     /* we write to it; else we read from it */
    struct link *next;
};

struct peer {
    struct sockaddr_un address;
    struct link *out;    /* the connection for packets to it, or null */
    bool told, finished; /* has been sent a goodbye; has sent one, or is forgotten */
};

struct endpoint {
    struct mer_conduit_endpoint end; /* first, so that one is the other */
    const struct mer_conduit_client *client;
    int epoll;                                /* watches all sockets */
    struct link *links;                       /* newest first; the last one listens */
    struct peer *peers;                       /* by thread */
    int delivered;                            /* packets, in this poll */
    bool refused, closing;                    /* a peer was too busy to be called; close has begun */
    _Alignas(8) unsigned char packet[PACKET]; /* being delivered */
};

static void watch(struct endpoint *e, struct link *link, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = link};
    if (epoll_ctl(e->epoll, operation, link->fd, &event) != 0)
        e->client->fail(e->client->user, "epoll_ctl: %s", strerror(errno));
}

static struct link *link_new(struct endpoint *e, int fd, int peer, bool out) {
    struct link *link = malloc(sizeof *link);
    if (!link)
        e->client->fail(e->client->user, "no memory for a connection");
    *link = (struct link){fd, peer, out, e->links};
    watch(e, link, EPOLL_CTL_ADD, out ? 0 : EPOLLIN); /* its end is reported in any case */
    return e->links = link;
}

/* Forget a peer: packets are neither sent to it nor received from it any more. */
static void lose(struct endpoint *e, int peer, const char *cause) {
    if (!e->closing && !e->peers[peer].finished)
        e->client->lost(e->client->user, peer, cause); /* returns if the peer has ended in order */
    e->peers[peer].finished = true;
}

/* Close a link.  The peer is lost if no link from it remains. */
static void link_end(struct endpoint *e, struct link *link) {
    int peer = link->peer;
    bool more = false; /* there is another link from this peer: packets, or its end, can still be read */
    struct link **at = &e->links;
    while (*at != link)
        at = &(*at)->next;
    *at = link->next;
    if (link->out)
        e->peers[peer].out = NULL;
    close(link->fd); /* this also removes it from the epoll set */
    free(link);
    for (link = e->links; link; link = link->next)
        more = more || (link->peer == peer && !link->out);
    if (peer >= 0 && !more)
        lose(e, peer, "the connection was closed");
}

/* ---- 2. open: make it, and give its address ---- */
static struct mer_conduit_endpoint *open_endpoint(const struct mer_conduit_client *client,
                                                  struct mer_conduit_address *own) {
    struct endpoint *e = calloc(1, sizeof *e);
    struct sockaddr_un address = {.sun_family = AF_UNIX}; /* an abstract address: a zero, then a name */
    if (!e)
        client->fail(client->user, "no memory for an endpoint");
    e->end = (struct mer_conduit_endpoint){
        .conduit = &mer_conduit_template, .client = client, .packet_most = PACKET};
    e->client = client;
    e->epoll = epoll_create1(EPOLL_CLOEXEC);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (e->epoll < 0 || fd < 0 || getrandom(address.sun_path + 1, 16, 0) != 16 ||
        bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, SOMAXCONN) != 0)
        client->fail(client->user, "cannot listen: %s", strerror(errno));
    link_new(e, fd, -1, false);
    own->length = sizeof address;
    memcpy(own->bytes, &address, sizeof address);
    return &e->end;
}

/* ---- 3. connect: take the addresses of the others ---- */
static void know_peers(struct mer_conduit_endpoint *end, const struct mer_conduit_address *addresses) {
    struct endpoint *e = (struct endpoint *)end;
    e->peers = calloc((size_t)e->client->threads, sizeof *e->peers);
    if (!e->peers)
        e->client->fail(e->client->user, "no memory for %d addresses", e->client->threads);
    for (int i = 0; i < e->client->threads; i++) {
        if (!mer_conduit_here(e->client, i) && addresses[i].length != sizeof e->peers[i].address)
            e->client->fail(
                e->client->user,
                "thread %d has another conduit; set MERIDIAN_CONDUIT to the same value on all hosts", i);
        memcpy(&e->peers[i].address, addresses[i].bytes, sizeof e->peers[i].address);
    }
}

/* ---- 4. send: a packet leaves, or there is no capacity; never wait ---- */

/* Call the peer.  Returns null if it cannot be called now, or is lost. */
static struct link *call(struct endpoint *e, int peer) {
    const struct sockaddr_un *to = &e->peers[peer].address;
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        e->client->fail(e->client->user, "no connection can be made: %s", strerror(errno));
    if (connect(fd, (const struct sockaddr *)to, sizeof *to) == 0)
        return e->peers[peer].out = link_new(e, fd, peer, true);
    int error = errno;
    close(fd);
    e->refused = error == EAGAIN;
    if (!e->refused)
        lose(e, peer, error == ECONNREFUSED ? "no process of this machine has its address" : strerror(error));
    return NULL;
}

static bool send_kind(struct endpoint *e, int to, int kind, const struct iovec *parts, int nparts) {
    struct link *link = e->peers[to].out ? e->peers[to].out : call(e, to);
    int32_t head[WORDS] = {[KIND] = kind, [FROM] = e->client->thread};
    struct iovec all[MER_CONDUIT_PARTS + 1] = {{head, sizeof head}};
    struct msghdr message = {.msg_iov = all, .msg_iovlen = (size_t)nparts + 1};
    for (int i = 0; i < nparts; i++)
        all[i + 1] = parts[i];
    if (link && sendmsg(link->fd, &message, MSG_NOSIGNAL) >= 0)
        return true;
    if (link && errno == EAGAIN) /* be told when there is capacity again */
        watch(e, link, EPOLL_CTL_MOD, EPOLLOUT);
    else if (link)
        lose(e, to, "the connection was closed");
    return e->peers[to].finished; /* a packet to a forgotten peer counts as sent */
}

static bool send_packet(struct mer_conduit_endpoint *end, int to, const struct iovec *parts, int nparts) {
    struct endpoint *e = (struct endpoint *)end;
    return e->peers[to].finished || send_kind(e, to, DATA, parts, nparts);
}

/* ---- 5. poll: deliver packets ---- */
static void accept_all(struct endpoint *e, const struct link *listener) {
    struct ucred caller;
    socklen_t length = sizeof caller;
    int fd;
    while ((fd = accept4(listener->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0)
        if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &caller, &length) == 0 && caller.uid == geteuid())
            link_new(e, fd, -1, false);
        else
            close(fd); /* another user's process */
    if (errno != EAGAIN)
        e->client->fail(e->client->user, "no connection can be accepted: %s", strerror(errno));
}

/* Take the next packet of a link, or its end. */
static void receive(struct endpoint *e, struct link *link) {
    int32_t head[WORDS];
    struct iovec parts[2] = {{head, sizeof head}, {e->packet, sizeof e->packet}};
    ssize_t n = readv(link->fd, parts, 2);
    int from = n >= (ssize_t)sizeof head ? head[FROM] : -1;
    bool known = from >= 0 && from < e->client->threads && !mer_conduit_here(e->client, from) &&
                 (link->peer < 0 || link->peer == from);
    link->peer = known ? from : link->peer;
    if (known && head[KIND] == GOODBYE)
        e->peers[from].finished = true;
    if (!known || head[KIND] != DATA) {
        link_end(e, link); /* goodbye, the end, or a stranger's packet */
    } else if (!e->closing) {
        e->delivered++;
        e->client->deliver(e->client->user, from, e->packet, (size_t)n - sizeof head);
    }
}

/* Serve all connections that have an event.  Returns their number. */
static int turn(struct endpoint *e, int milliseconds) {
    struct epoll_event events[64];
    int count = epoll_wait(e->epoll, events, 64, milliseconds);
    for (int i = 0; i < count; i++) {
        struct link *link = events[i].data.ptr;
        if (!link->next)
            accept_all(e, link);
        else if (!link->out)
            receive(e, link);
        else if (events[i].events & (EPOLLHUP | EPOLLERR))
            link_end(e, link);
        else
            watch(e, link, EPOLL_CTL_MOD, 0); /* it takes packets again */
    }
    return count;
}

static int poll_links(struct mer_conduit_endpoint *end) {
    struct endpoint *e = (struct endpoint *)end;
    e->delivered = 0;
    e->refused = false;
    turn(e, 0);
    return e->delivered;
}

/* ---- 6. sleep: a descriptor that is readable when poll has something to do, except refused calls ---- */
static int wait_fd(struct mer_conduit_endpoint *end) { return ((struct endpoint *)end)->epoll; }
static bool may_sleep(struct mer_conduit_endpoint *end) { return !((struct endpoint *)end)->refused; }

/* ---- 7. close: say goodbye after all packets, and wait for the reader to end the connection ---- */
static void close_endpoint(struct mer_conduit_endpoint *end) {
    struct endpoint *e = (struct endpoint *)end;
    e->closing = true;
    for (bool moves = true; e->links->next && moves; moves = turn(e, CLOSING_MS) != 0)
        for (int i = 0; i < e->client->threads; i++)
            if (e->peers[i].out && !e->peers[i].told)
                e->peers[i].told = send_kind(e, i, GOODBYE, NULL, 0);
    while (e->links)
        link_end(e, e->links);
    close(e->epoll);
    free(e->peers);
    free(e);
}

const struct mer_conduit mer_conduit_template = {
    .abi = MER_CONDUIT_ABI,
    .name = "template",
    .open = open_endpoint,
    .connect = know_peers,
    .send = send_packet,
    .poll = poll_links,
    .wait_fd = wait_fd,
    .may_sleep = may_sleep,
    .close = close_endpoint,
};
