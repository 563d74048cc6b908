/* Strangers: accepted connections whose other end has not shown yet who it is.  Whoever reaches a port may
 * make one, and not all are peers.
 *
 * Three limits keep them from harming the job:
 *
 *   number   MER_TCP_STRANGERS at most.  For one more the oldest is dropped, if it has had GRACE seconds to
 *            answer; else new connections wait in the kernel's queue.  So a peer that answers gets in,
 *            however many do not, and no peer is dropped only because many come at once.
 *   memory   a structure of fixed size, into which the greeting is read (calls.c)
 *   time     PATIENCE seconds
 *
 * Descriptors are for the program and for peers.  A process that has none left accepts a stranger by the one
 * descriptor that it keeps in reserve.  If that stranger turns out to be a peer, the reserve cannot be filled
 * again, and the job ends with the message that names the limit.  If a call by this process finds no
 * descriptor, strangers are dropped (calls.c).
 *
 * A peer whose connection is dropped here calls again (calls.c).
 */
#include "base/clock.h"
#include "conduit/sockets.h"
#include "conduit/tcp/tcp.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#define GRACE 0.2    /* seconds for which a stranger is not dropped for another */
#define PATIENCE 5.0 /* seconds for which a stranger may stay */
#define TURN 16      /* most connections accepted at a time, at each address: peers are served in between */

static void watch_listeners(struct mer_tcp *tcp, uint32_t events) {
    for (int i = 0; i < tcp->own.host.count; i++)
        if (tcp->listeners[i] >= 0)
            mer_tcp_watch(tcp, tcp->listeners[i], NULL, EPOLL_CTL_MOD, events);
}

/* Accept nothing before this time: the descriptor that the progress thread sleeps on must not be readable
 * meanwhile. */
static void rest_until(struct mer_tcp *tcp, double when) {
    if (!tcp->resting_until)
        watch_listeners(tcp, 0);
    tcp->resting_until = when;
    mer_tcp_due(tcp, when);
}

static void accept_again(struct mer_tcp *tcp) {
    if (tcp->resting_until)
        watch_listeners(tcp, EPOLLIN);
    tcp->resting_until = 0;
}

bool mer_tcp_reserve(struct mer_tcp *tcp) {
    if (tcp->spare < 0)
        tcp->spare = eventfd(0, EFD_CLOEXEC); /* any kind of descriptor will do that holds an open file */
    return tcp->spare >= 0;
}

void mer_tcp_strange_no_more(struct mer_tcp_link *link) {
    struct mer_tcp *tcp = link->tcp;
    int i = 0;
    while (tcp->strangers[i] != link)
        i++;
    tcp->strangers_count--;
    memmove(tcp->strangers + i, tcp->strangers + i + 1,
            (size_t)(tcp->strangers_count - i) * sizeof *tcp->strangers);
    link->deadline = 0;
    mer_tcp_reserve(tcp);
    accept_again(tcp);
}

bool mer_tcp_drop_stranger(struct mer_tcp *tcp) {
    bool any = tcp->strangers_count > 0;
    if (any)
        mer_tcp_discard(tcp->strangers[0]);
    return any;
}

/* Make room for a stranger by dropping the oldest.  Returns false if it is too early for that. */
static bool drop_for_another(struct mer_tcp *tcp) {
    double until = tcp->strangers[0]->since + GRACE;
    if (mer_clock_seconds() < until) {
        rest_until(tcp, until);
        return false;
    }
    mer_tcp_discard(tcp->strangers[0]);
    return true;
}

/* Find a descriptor for a stranger when none is left.  Returns false if there is none now. */
static bool find_descriptor(struct mer_tcp *tcp) {
    double now = mer_clock_seconds();
    if (tcp->strangers_count)
        return drop_for_another(tcp);
    if (mer_tcp_reserve(tcp)) {
        close(tcp->spare);
        tcp->spare = -1;
        return true;
    }
    /* The program has taken all descriptors, the one in reserve included. */
    tcp->starved = tcp->starved ? tcp->starved : now;
    if (now - tcp->starved > mer_tcp_silence(tcp))
        mer_tcp_checked(tcp, -1);
    rest_until(tcp, now + GRACE);
    return false;
}

static void greet_stranger(struct mer_tcp *tcp, int fd) {
    struct mer_tcp_link *link = mer_tcp_link_new(tcp, fd, -1, MER_TCP_STRANGER);
    struct mer_tcp_challenge challenge = {.kind = MER_TCP_CHALLENGE};
    tcp->strangers[tcp->strangers_count++] = link;
    tcp->starved = 0;
    link->since = mer_clock_seconds();
    link->deadline = link->since + PATIENCE;
    mer_tcp_due(tcp, link->deadline);
    mer_tcp_watch(tcp, fd, link, EPOLL_CTL_ADD, EPOLLIN);
    bool sent = getrandom(challenge.number, sizeof challenge.number, 0) == sizeof challenge.number &&
                send(fd, &challenge, sizeof challenge, MSG_NOSIGNAL) == sizeof challenge;
    memcpy(link->parties.challenge, challenge.number, sizeof challenge.number);
    if (!sent)
        mer_tcp_discard(link);
}

/* Accept one connection.  Returns false if none is waiting, or if the next has to wait. */
static bool accept_one(struct mer_tcp *tcp, int listener) {
    if (tcp->strangers_count == MER_TCP_STRANGERS && !drop_for_another(tcp))
        return false;
    int fd = mer_socket_accept(listener, mer_tcp_silence(tcp));
    if (fd >= 0)
        greet_stranger(tcp, fd);
    else if (errno == EMFILE || errno == ENFILE)
        return find_descriptor(tcp);
    else if (errno == ENOBUFS || errno == ENOMEM)
        rest_until(tcp, mer_clock_seconds() + GRACE);
    else
        return errno != EAGAIN && errno != EINVAL; /* this connection has ended meanwhile */
    return fd >= 0;
}

void mer_tcp_accept(struct mer_tcp *tcp) {
    for (int i = 0; i < tcp->own.host.count; i++)
        for (int n = 0; n < TURN && tcp->listeners[i] >= 0 && !tcp->resting_until; n++)
            if (!accept_one(tcp, tcp->listeners[i]))
                break;
}

void mer_tcp_stranger_deadlines(struct mer_tcp *tcp, double now) {
    while (tcp->strangers_count && tcp->strangers[0]->deadline <= now)
        mer_tcp_discard(tcp->strangers[0]);
    if (tcp->strangers_count)
        mer_tcp_due(tcp, tcp->strangers[0]->deadline);
    if (tcp->resting_until && tcp->resting_until <= now)
        accept_again(tcp);
    else if (tcp->resting_until)
        mer_tcp_due(tcp, tcp->resting_until);
}
