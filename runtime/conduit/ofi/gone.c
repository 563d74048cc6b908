/* Tests whether a peer that takes nothing is gone, because libfabric does not report that over TCP.
 *
 * When a process dies, its connection closes.  The layer rxm forgets the connection and begins a new one with
 * the next packet, which the dead process's port refuses.  Then rxm begins again, and answers FI_EAGAIN for
 * ever, as it does when a living peer has no capacity.  Only the refusal distinguishes the two.  So when a
 * peer has taken nothing for a while, a plain socket tries to connect to its port.  The kernel accepts for a
 * process that lives, even if it is stopped; it refuses if there is no process.  A host that does not answer
 * at all is left to the limit of silence.
 *
 * For peers to which there is nothing else to send, the signs of life (ofi.c) lead to this test: they find no
 * capacity.  Networks other than TCP report errors by themselves, or are left to the limit of silence too.
 */
#include "conduit/ofi/ofi.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SUSPICIOUS 0.3 /* seconds without capacity before a peer's port is tested, */
#define AGAIN 1.0      /* and between tests */

static socklen_t length_of(const struct sockaddr *address) {
    return address->sa_family == AF_INET    ? sizeof(struct sockaddr_in)
           : address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                            : 0;
}

void ofi_port(const struct ofi *ofi, const struct ofi_endpoint *endpoint, struct sockaddr_in6 *port) {
    uint32_t format = ofi->info->addr_format;
    if (ofi_over_tcp(endpoint->provider) &&
        (format == FI_SOCKADDR || format == FI_SOCKADDR_IN || format == FI_SOCKADDR_IN6))
        memcpy(port, endpoint->name, sizeof *port);
}

static void end_question(struct ofi *ofi) {
    close(ofi->question.fd);
    ofi->question.fd = 0;
}

/* Returns true if the test has shown that the port is closed, false if there is no answer yet or another
 * one. */
static bool refused(struct ofi *ofi) {
    struct pollfd ready = {.fd = ofi->question.fd, .events = POLLOUT};
    int error = 0;
    socklen_t length = sizeof error;
    if (poll(&ready, 1, 0) != 1)
        return false;
    bool no = getsockopt(ofi->question.fd, SOL_SOCKET, SO_ERROR, &error, &length) == 0 &&
              error == ECONNREFUSED;
    end_question(ofi);
    return no;
}

/* Begin a test.  Returns true if it has shown at once that the port is closed. */
static bool ask(struct ofi *ofi, int peer, double now) {
    const struct sockaddr *port = (const void *)&ofi->peers[peer].port;
    socklen_t length = length_of(port);
    int fd = length ? socket(port->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0) : -1;
    if (fd <= 0)
        return false;
    ofi->question.fd = fd;
    ofi->question.peer = peer;
    ofi->question.since = now;
    bool pending = connect(fd, port, length) == 0 || errno == EINPROGRESS;
    bool no = !pending && errno == ECONNREFUSED;
    if (!pending)
        end_question(ofi);
    return no;
}

bool ofi_gone(struct ofi *ofi, int peer, double now) {
    struct ofi_peer *p = &ofi->peers[peer];
    if (ofi->question.fd && ofi->question.peer == peer && refused(ofi))
        return true;
    if (ofi->question.fd && now - ofi->question.since > 2 * AGAIN)
        end_question(ofi);
    if (ofi->question.fd || p->refused == 0 || now - p->refused < SUSPICIOUS || now - p->asked < AGAIN)
        return false;
    p->asked = now;
    return ask(ofi, peer, now);
}

void ofi_gone_close(struct ofi *ofi) {
    if (ofi->question.fd)
        end_question(ofi);
}
