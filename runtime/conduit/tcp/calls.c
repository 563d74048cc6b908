/* Connections being set up: who calls whom, at which address, and by which proofs.
 *
 * A connection is made with the first packet to a thread, unless that thread has called before.  Both
 * directions share it, so that acknowledgements go with answers.  Each end has a state for it:
 *
 *            CALLING ──connected: hello──> CALLED ──challenge──> SHOWN ──welcome: confirmation──> OPEN
 *   caller      │ ^                          │                    │
 *               │ └─ next address ───────────┴─ closed            └─ closed ──> PAUSING ──> CALLING
 *               └─ refused, or its deadline: next address; after the last the peer is lost
 *
 *   callee   (accepted: challenge) ──> STRANGER ──hello: welcome──> WELCOMED ──confirmation──> OPEN
 *                                         │                            └─ closed, or another hello of the
 *                                         │                               same thread's: discarded
 *                                         └─ anything else, its deadline, or another's need: discarded
 *
 * In a job that encrypts, SECURING comes before OPEN: both ends make a secure channel (conduit/channel.h).
 * The peer is lost if that fails or does not end, because it has already shown who it is.  The last state is
 * ENDED, in which a connection is ignored: it has been open and its stream has ended, or it was a call that
 * has given way.
 *
 * The meaning of a closed connection depends on the state.  Before the challenge, there is no endpoint of
 * Meridian at the address, so the next address is tried.  After it, an endpoint has dropped a stranger
 * (strangers.c).  It is called again, after a pause that doubles each time, without limit: if its process
 * dies, the call is refused.
 *
 * Two threads may call each other.  If a thread whose own call is under way receives the hello of its peer's
 * call, it welcomes the peer's call and its own call gives way, if
 *
 *   - its own call has not sent its hello yet, or is pausing because its connection was closed: the peer then
 *     knows nothing of the call, and will not welcome it; or
 *   - the peer's thread has the lower number.
 *
 * Otherwise the thread closes the peer's call: the hello of its own call is on its way to the peer, which
 * gives way.  So exactly one of two calls whose hellos have both been sent is welcomed, and a call that
 * nobody has seen blocks no other.  The peer may pause and call again before it has read the hello.  This
 * changes nothing, because a pausing call gives way too.  Unsent bytes move to the welcomed connection.  No
 * packet is sent before the welcome, so none is lost or sent twice with a call that gives way.
 *
 * A peer that has been welcomed confirms, and never calls again.  So a connection that waits for its
 * confirmation gives way to another hello of the same thread: the caller of one of them is not the peer, and
 * cannot confirm.  If the connection closes, or is silent for as long as a thread may be silent, the peer is
 * called if there are unsent bytes.
 *
 * The model tests/model/tcp_calls.pml checks these rules for all orders of events at both ends.
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

bool mer_tcp_gives_way(enum mer_tcp_state state, bool first) {
    return state == MER_TCP_CALLING || state == MER_TCP_PAUSING || state == MER_TCP_WELCOMED ||
           ((state == MER_TCP_CALLED || state == MER_TCP_SHOWN) && !first);
}

/* ---- the caller: the peer's addresses one after the other ---- */

/* End the call: no address is left. */
static void give_up(struct mer_tcp_link *link, int error) {
    const struct mer_tcp *tcp = link->tcp;
    const struct mer_host_addresses *peer = &tcp->endpoints[link->peer].host;
    char text[INET6_ADDRSTRLEN], message[320];
    int first = 0; /* the first address that leads to the peer */
    while (first + 1 < peer->count && !mer_address_leads_to(peer, &peer->addresses[first], &tcp->own.host))
        first++;
    snprintf(message, sizeof message, "no connection to %s port %d: %s",
             mer_address_text(&peer->addresses[first], text), peer->ports[first],
             error == EHOSTUNREACH ? "none of its addresses can be reached from this host"
                                   : mer_limit_text(error));
    mer_tcp_end_link(link, message);
}

/* Call the peer at the link's address `candidate', or the next one that can be called.  If no descriptor is
 * left, strangers are dropped to free one. */
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
    close(link->stream.fd); /* this also removes it from the epoll set */
    link->stream.fd = -1;
}

/* Try the next address: there is no endpoint at this one. */
static void try_next(struct mer_tcp_link *link, int error) {
    hang_up(link);
    link->candidate++;
    link->cause = error;
    call(link);
}

/* Call again after a pause: the endpoint at this address has dropped the call. */
static void pause_call(struct mer_tcp_link *link) {
    hang_up(link);
    link->state = MER_TCP_PAUSING;
    link->deadline = mer_clock_seconds() + link->pause;
    link->pause = 2 * link->pause < PAUSE_MOST ? 2 * link->pause : PAUSE_MOST;
    mer_tcp_due(link->tcp, link->deadline);
}

/* ---- the greeting ---- */

/* Writes the HMAC of this connection's parties under the callee's key. */
static void prove(const struct mer_tcp_link *link, const char *word, unsigned char proof[MER_SHA256_BYTES]) {
    const struct mer_tcp *tcp = link->tcp;
    bool calls = link->parties.from == tcp->client->thread;
    mer_tcp_prove(calls ? tcp->endpoints[link->parties.to].key : tcp->own.key, word, &link->parties, proof);
}

static bool send_whole(const struct mer_tcp_link *link, const void *bytes, size_t n) {
    return send(link->stream.fd, bytes, n, MSG_NOSIGNAL) == (ssize_t)n; /* nothing else is in the buffer */
}

static bool send_proof(const struct mer_tcp_link *link, uint32_t kind, const char *word) {
    struct mer_tcp_proof proof = {.kind = kind};
    prove(link, word, proof.proof);
    return send_whole(link, &proof, sizeof proof);
}

static bool is_proof(const struct mer_tcp_link *link, const char *word, const unsigned char *given) {
    unsigned char proof[MER_SHA256_BYTES];
    prove(link, word, proof);
    return mer_equal_in_constant_time(proof, given, sizeof proof);
}

/* Send the hello, or try the next address: connect(2) has ended. */
static void connected(struct mer_tcp_link *link) {
    struct mer_tcp_hello hello = {.kind = MER_TCP_HELLO, .from = link->tcp->client->thread, .to = link->peer};
    int error = 0;
    socklen_t length = sizeof error;
    getsockopt(link->stream.fd, SOL_SOCKET, SO_ERROR, &error, &length);
    link->parties = (struct mer_tcp_parties){.from = hello.from, .to = hello.to};
    if (!error && getrandom(hello.number, sizeof hello.number, 0) != sizeof hello.number)
        error = errno;
    memcpy(link->parties.number, hello.number, sizeof hello.number);
    prove(link, "hello", hello.proof);
    if (!error && !send_whole(link, &hello, sizeof hello))
        error = errno;
    if (error) {
        try_next(link, error);
        return;
    }
    mer_socket_made(link->stream.fd);
    link->state = MER_TCP_CALLED; /* without a deadline: the callee's program may be slow to accept */
    link->deadline = 0;
    mer_tcp_watch_write(link);
}

/* Open the connection for packets. */
static void open_link(struct mer_tcp_link *link) {
    link->state = MER_TCP_OPEN;
    link->stream.open = true;
    link->deadline = 0;
    if (!mer_link_flush(&link->stream)) {
        mer_tcp_broken(link);
        return;
    }
    mer_tcp_watch_write(link);
    if (link->stream.channel && mer_channel_ready(link->stream.channel))
        mer_tcp_receive(link); /* the first packets have come with the end of the handshake */
}

/* Set the deadline for the other end's next step. */
static void limit_silence(struct mer_tcp_link *link) {
    link->deadline = mer_clock_seconds() + mer_tcp_silence(link->tcp);
    mer_tcp_due(link->tcp, link->deadline);
}

/* Go on with the handshake of the secure channel. */
static void secure(struct mer_tcp_link *link) {
    int result = mer_channel_agree(link->stream.channel, link->stream.fd);
    if (result > 0)
        open_link(link);
    else if (result < 0)
        mer_tcp_broken(link);
    else
        mer_tcp_watch_write(link);
}

/* Go on after the greeting: both ends have shown that they know the key. */
static void agreed(struct mer_tcp_link *link) {
    struct mer_tcp *tcp = link->tcp;
    unsigned char secret[MER_SHA256_BYTES];
    if (!tcp->cipher) {
        open_link(link);
        return;
    }
    prove(link, "channel", secret);
    link->stream.channel = mer_channel_new(tcp->cipher, tcp->buffers, secret, sizeof secret,
                                           link->parties.from == tcp->client->thread);
    if (!link->stream.channel)
        tcp->client->fail(tcp->client->user, "no memory for a connection");
    link->state = MER_TCP_SECURING;
    limit_silence(link);
    secure(link);
}

static bool take_challenge(struct mer_tcp_link *link) {
    memcpy(link->parties.challenge, link->greeting.challenge.number, sizeof link->parties.challenge);
    link->state = MER_TCP_SHOWN;
    return true;
}

static bool take_welcome(struct mer_tcp_link *link) {
    if (!is_proof(link, "welcome", link->greeting.proof.proof) ||
        !send_proof(link, MER_TCP_CONFIRMATION, "confirmation"))
        return false;
    agreed(link);
    return true;
}

/* Returns true if this hello comes from a thread that may call.  Its proof covers the caller's number, but
 * not the callee's. */
static bool is_genuine(struct mer_tcp_link *link, const struct mer_tcp_hello *hello) {
    const struct mer_conduit_client *client = link->tcp->client;
    struct mer_tcp_parties all = link->parties;
    bool may_call = hello->to == client->thread && hello->from >= 0 && hello->from < client->threads &&
                    !mer_conduit_here(client, hello->from);
    link->parties = (struct mer_tcp_parties){.from = hello->from, .to = hello->to};
    memcpy(link->parties.number, hello->number, sizeof hello->number);
    bool genuine = may_call && is_proof(link, "hello", hello->proof);
    memcpy(link->parties.challenge, all.challenge, sizeof all.challenge);
    return genuine;
}

static bool take_hello(struct mer_tcp_link *link) {
    struct mer_tcp *tcp = link->tcp;
    const struct mer_tcp_hello *hello = &link->greeting.hello;
    if (!is_genuine(link, hello))
        return false;
    struct mer_tcp_link *other = tcp->out[hello->from];
    if ((other && !mer_tcp_gives_way(other->state, tcp->client->thread < hello->from)) ||
        !send_proof(link, MER_TCP_WELCOME, "welcome"))
        return false;
    mer_tcp_strange_no_more(link);
    if (!mer_tcp_reserve(tcp))
        mer_tcp_checked(tcp, -1);
    link->peer = hello->from;
    link->state = MER_TCP_WELCOMED;
    limit_silence(link);
    tcp->out[link->peer] = link;
    if (other) {
        mer_link_move(&link->stream, &other->stream);
        mer_tcp_discard(other);
    }
    return true;
}

static bool take_confirmation(struct mer_tcp_link *link) {
    if (!is_proof(link, "confirmation", link->greeting.proof.proof))
        return false;
    agreed(link);
    return true;
}

/* Call the peer if there are unsent bytes: its welcomed connection has closed, or does not confirm. */
static void call_instead(struct mer_tcp_link *link) {
    struct mer_tcp *tcp = link->tcp;
    int peer = link->peer;
    tcp->out[peer] = NULL;
    if (link->stream.unsent) {
        tcp->out[peer] = mer_tcp_call(tcp, peer);
        mer_link_move(&tcp->out[peer]->stream, &link->stream);
    }
    mer_tcp_discard(link);
}

/* Handle the end of a connection: it is closed, broken (errno), or the other end has sent a wrong
 * greeting. */
static void closed(struct mer_tcp_link *link) {
    if (link->state == MER_TCP_STRANGER)
        mer_tcp_discard(link);
    else if (link->state == MER_TCP_WELCOMED)
        call_instead(link);
    else if (link->state == MER_TCP_CALLED)
        try_next(link, errno);
    else
        pause_call(link);
}

/* The part of the greeting that a connection takes in each of these states. */
static const struct step {
    size_t length;
    uint32_t kind;
    bool (*take)(struct mer_tcp_link *link); /* returns false if the link must be closed */
} steps[] = {
    [MER_TCP_CALLED] = {sizeof(struct mer_tcp_challenge), MER_TCP_CHALLENGE, take_challenge},
    [MER_TCP_SHOWN] = {sizeof(struct mer_tcp_proof), MER_TCP_WELCOME, take_welcome},
    [MER_TCP_STRANGER] = {sizeof(struct mer_tcp_hello), MER_TCP_HELLO, take_hello},
    [MER_TCP_WELCOMED] = {sizeof(struct mer_tcp_proof), MER_TCP_CONFIRMATION, take_confirmation},
    [MER_TCP_ENDED] = {0, 0, NULL},
};

/* Read as much of the greeting as there is, and no byte after it. */
void mer_tcp_greet(struct mer_tcp_link *link) {
    const struct step *step = &steps[link->state];
    if (link->state == MER_TCP_CALLING || link->state == MER_TCP_SECURING) {
        if (link->state == MER_TCP_CALLING)
            connected(link);
        else
            secure(link);
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

/* Handle a connection whose deadline has passed. */
static void too_late(struct mer_tcp_link *link) {
    if (link->state == MER_TCP_CALLING)
        try_next(link, ETIMEDOUT);
    else if (link->state == MER_TCP_PAUSING)
        call(link);
    else if (link->state == MER_TCP_WELCOMED)
        call_instead(link);
    else if (link->state == MER_TCP_SECURING)
        mer_tcp_end_link(link, "that thread has stopped while making the encrypted connection");
}

void mer_tcp_deadlines(struct mer_tcp *tcp) {
    double now = mer_clock_seconds();
    tcp->due = 0;
    mer_tcp_stranger_deadlines(tcp, now);
    for (struct mer_tcp_link *link = tcp->links; link; link = link->next) {
        if (link->state == MER_TCP_STRANGER || link->state == MER_TCP_ENDED || !link->deadline)
            continue;
        if (link->deadline > now)
            mer_tcp_due(tcp, link->deadline);
        else
            too_late(link);
    }
}
