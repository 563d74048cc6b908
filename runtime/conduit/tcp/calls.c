/* Connections being set up: who calls whom, at which address, and what each end shows the other.
 *
 * A connection is made with the first packet to a thread, unless that thread has called before.  Both
 * directions share it, so that acknowledgements go with answers.  Each end has a state for it:
 *
 *            CALLING ──connected──> CALLED ──challenge: hello──> SHOWN ──welcome──> OPEN
 *   caller      │ ^                   │                            │
 *               │ └─ next address ────┴─ closed                    └─ closed ──> PAUSING ──> CALLING
 *               └─ refused, or its deadline: next address; after the last the peer is lost
 *
 *   callee   (accepted: challenge) ──> STRANGER ──hello: welcome──> OPEN
 *                                         └─ anything else, its deadline, or another's need: discarded
 *
 * and ENDED, in which a connection is not looked at any more: after OPEN, the end of the stream; before, an
 * own call that has given way.
 *
 * A closed connection means different things.  Before the challenge there is no endpoint of Meridian's at the
 * address, so the next one is tried.  After it, an endpoint has dropped a stranger (strangers.c); it is there
 * and is called again, after a pause that doubles, as often as it takes: if its process dies, the call is
 * refused.
 *
 * Calls of both threads to each other.  A thread whose own call is under way takes the hello of its peer's
 * call.  The peer's call is welcomed, and the own one gives way, if
 *
 *   - the own one has not shown its hello yet, or is pausing because its connection was closed: so the peer
 *     knows nothing of it, and will not welcome it; or
 *   - the peer's thread has the lower number.
 *
 * Else the peer's call is closed: the own one has been shown to the peer, which gives way.  So of two calls
 * that have both been shown exactly one is welcomed, and a call that nobody has seen stands in nobody's way.
 * The peer may pause and call again before it has read the hello; that changes nothing, as a pausing call
 * gives way too.  What waits to be sent moves to the connection that is welcomed; nothing is sent before the
 * welcome, so nothing is lost or sent twice with a call that gives way.
 *
 * The model tests/model/tcp_calls.pml checks this for all orders of events at both ends.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "conduit/sockets.h"
#include "conduit/tcp/tcp.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#define PAUSE_LEAST 0.01 /* seconds between calls to an endpoint that has dropped one */
#define PAUSE_MOST 0.5

bool mer_tcp_gives_way(enum mer_tcp_state own_call, bool first) {
    return own_call == MER_TCP_CALLING || own_call == MER_TCP_CALLED || own_call == MER_TCP_PAUSING ||
           (own_call == MER_TCP_SHOWN && !first);
}

/* ---- the caller: the peer's addresses one after the other ---- */

/* No address is left. */
static void give_up(struct mer_tcp_link *link, int error) {
    const struct mer_tcp *tcp = link->tcp;
    const struct mer_host_addresses *peer = &tcp->endpoints[link->peer].host;
    char text[INET6_ADDRSTRLEN], message[320];
    int first = 0; /* that was tried */
    while (first + 1 < peer->count && !mer_address_leads_to(peer, &peer->addresses[first], &tcp->own.host))
        first++;
    snprintf(message, sizeof message, "no connection to %s port %d: %s",
             mer_address_text(&peer->addresses[first], text), peer->ports[first],
             error == EHOSTUNREACH ? "none of its addresses can be reached from this host"
                                   : mer_limit_text(error));
    mer_tcp_end_link(link, message);
}

/* Call the peer at the link's address `candidate', or the next one that can be called.  Strangers have no
 * right to a descriptor that this takes. */
static void call(struct mer_tcp_link *link) {
    struct mer_tcp *tcp = link->tcp;
    const struct mer_host_addresses *peer = &tcp->endpoints[link->peer].host;
    int fd;
    do
        fd = mer_socket_call(peer, &tcp->own.host, mer_tcp_silence(tcp), &link->candidate);
    while (fd < 0 && (errno == EMFILE || errno == ENFILE) && mer_tcp_drop_stranger(tcp));
    link->stream.fd = mer_tcp_checked(tcp, fd);
    link->greeting_length = 0;
    if (fd < 0) {
        give_up(link, link->cause ? link->cause : errno);
        return;
    }
    link->state = MER_TCP_CALLING;
    link->wants_write = true;
    link->deadline = mer_clock_seconds() + mer_tcp_silence(tcp) / peer->count;
    mer_tcp_due(tcp, link->deadline);
    mer_tcp_watch(tcp, fd, link, EPOLL_CTL_ADD, EPOLLIN | EPOLLOUT);
}

struct mer_tcp_link *mer_tcp_call(struct mer_tcp *tcp, int peer) {
    struct mer_tcp_link *link = mer_tcp_link_new(tcp, -1, peer, MER_TCP_CALLING);
    link->pause = PAUSE_LEAST;
    call(link);
    return link;
}

static void hang_up(struct mer_tcp_link *link) {
    close(link->stream.fd); /* which also takes it from the epoll descriptor */
    link->stream.fd = -1;
}

/* There is no endpoint at the address tried. */
static void try_next(struct mer_tcp_link *link, int error) {
    hang_up(link);
    link->candidate++;
    link->cause = error;
    call(link);
}

/* The endpoint at this address has dropped the call. */
static void pause_call(struct mer_tcp_link *link) {
    hang_up(link);
    link->state = MER_TCP_PAUSING;
    link->deadline = mer_clock_seconds() + link->pause;
    link->pause = 2 * link->pause < PAUSE_MOST ? 2 * link->pause : PAUSE_MOST;
    mer_tcp_due(link->tcp, link->deadline);
}

/* connect(2) has ended. */
static void connected(struct mer_tcp_link *link) {
    int error = 0;
    socklen_t length = sizeof error;
    getsockopt(link->stream.fd, SOL_SOCKET, SO_ERROR, &error, &length);
    if (error) {
        try_next(link, error);
        return;
    }
    mer_socket_made(link->stream.fd);
    link->state = MER_TCP_CALLED; /* without a deadline: the challenge is a program's, which may be slow */
    link->deadline = 0;
    mer_tcp_watch_write(link);
}

/* ---- the greeting ---- */

static bool send_whole(const struct mer_tcp_link *link, const void *bytes, size_t n) {
    return send(link->stream.fd, bytes, n, MSG_NOSIGNAL) == (ssize_t)n; /* nothing else is in the buffer */
}

/* Packets go from now on. */
static void open_link(struct mer_tcp_link *link) {
    link->state = MER_TCP_OPEN;
    link->stream.open = true;
    mer_tcp_watch_write(link);
}

/* The answer to the challenge. */
static bool take_challenge(struct mer_tcp_link *link) {
    const struct mer_tcp *tcp = link->tcp;
    struct mer_tcp_hello hello = {.kind = MER_TCP_HELLO, .from = tcp->client->thread, .to = link->peer};
    if (getrandom(hello.number, sizeof hello.number, 0) != sizeof hello.number)
        return false;
    memcpy(link->parties.challenge, link->greeting.challenge.number, sizeof link->parties.challenge);
    memcpy(link->parties.number, hello.number, sizeof hello.number);
    link->parties.from = hello.from;
    link->parties.to = hello.to;
    mer_tcp_prove(tcp->endpoints[link->peer].key, "hello", &link->parties, hello.proof);
    link->state = MER_TCP_SHOWN;
    return send_whole(link, &hello, sizeof hello);
}

static bool take_welcome(struct mer_tcp_link *link) {
    unsigned char proof[MER_SHA256_BYTES];
    mer_tcp_prove(link->tcp->endpoints[link->peer].key, "welcome", &link->parties, proof);
    if (!mer_equal_in_constant_time(proof, link->greeting.welcome.proof, sizeof proof))
        return false;
    open_link(link);
    return true;
}

/* Has this hello been sent by a thread that may call, and for this connection? */
static bool is_genuine(const struct mer_tcp_link *link) {
    const struct mer_tcp *tcp = link->tcp;
    const struct mer_tcp_hello *hello = &link->greeting.hello;
    unsigned char proof[MER_SHA256_BYTES];
    mer_tcp_prove(tcp->own.key, "hello", &link->parties, proof);
    return mer_equal_in_constant_time(proof, hello->proof, sizeof proof) &&
           hello->to == tcp->client->thread && hello->from >= 0 && hello->from < tcp->client->threads &&
           !mer_conduit_here(tcp->client, hello->from);
}

static bool take_hello(struct mer_tcp_link *link) {
    struct mer_tcp *tcp = link->tcp;
    const struct mer_tcp_hello *hello = &link->greeting.hello;
    struct mer_tcp_welcome welcome = {.kind = MER_TCP_WELCOME};
    memcpy(link->parties.number, hello->number, sizeof link->parties.number);
    link->parties.from = hello->from;
    link->parties.to = hello->to;
    if (!is_genuine(link))
        return false;
    struct mer_tcp_link *own_call = tcp->out[hello->from];
    if (own_call && !mer_tcp_gives_way(own_call->state, tcp->client->thread < hello->from))
        return false;
    mer_tcp_prove(tcp->own.key, "welcome", &link->parties, welcome.proof);
    if (!send_whole(link, &welcome, sizeof welcome))
        return false;
    mer_tcp_strange_no_more(link);
    if (!mer_tcp_reserve(tcp))
        mer_tcp_checked(tcp, -1);
    link->peer = hello->from;
    tcp->out[link->peer] = link;
    if (own_call) {
        mer_link_move(&link->stream, &own_call->stream);
        mer_tcp_discard(own_call);
    }
    open_link(link);
    return true;
}

/* The connection is closed, broken (errno), or the other end has said what it may not. */
static void closed(struct mer_tcp_link *link) {
    if (link->state == MER_TCP_STRANGER)
        mer_tcp_discard(link);
    else if (link->state == MER_TCP_CALLED)
        try_next(link, errno);
    else
        pause_call(link);
}

/* What a connection in each of these states takes. */
static const struct step {
    size_t length;
    uint32_t kind;
    bool (*take)(struct mer_tcp_link *link); /* false: it is to be closed */
} steps[] = {
    [MER_TCP_CALLED] = {sizeof(struct mer_tcp_challenge), MER_TCP_CHALLENGE, take_challenge},
    [MER_TCP_SHOWN] = {sizeof(struct mer_tcp_welcome), MER_TCP_WELCOME, take_welcome},
    [MER_TCP_STRANGER] = {sizeof(struct mer_tcp_hello), MER_TCP_HELLO, take_hello},
};

/* Read as much of the greeting as there is, and nothing behind it. */
void mer_tcp_greet(struct mer_tcp_link *link) {
    const struct step *step = &steps[link->state];
    if (link->state == MER_TCP_CALLING) {
        connected(link);
        return;
    }
    unsigned char *into = (unsigned char *)&link->greeting;
    ssize_t n = recv(link->stream.fd, into + link->greeting_length, step->length - link->greeting_length, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    errno = n == 0 ? ECONNRESET : n < 0 ? errno : EPROTO;
    link->greeting_length += n > 0 ? (size_t)n : 0;
    bool good = n > 0 &&
                (link->greeting_length < sizeof link->greeting.kind || link->greeting.kind == step->kind);
    if (good && link->greeting_length == step->length) {
        link->greeting_length = 0;
        good = step->take(link);
    }
    if (!good)
        closed(link);
}

void mer_tcp_deadlines(struct mer_tcp *tcp) {
    double now = mer_clock_seconds();
    tcp->due = 0;
    mer_tcp_stranger_deadlines(tcp, now);
    for (struct mer_tcp_link *link = tcp->links; link; link = link->next) {
        bool calling = link->state == MER_TCP_CALLING, pausing = link->state == MER_TCP_PAUSING;
        if ((calling || pausing) && link->deadline > now)
            mer_tcp_due(tcp, link->deadline);
        else if (calling)
            try_next(link, ETIMEDOUT);
        else if (pausing)
            call(link);
    }
}
