/* See sockets.h. */
#include "conduit/sockets.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <unistd.h>

void mer_socket_limit(int fd, double silence) {
    const int tcp[][2] = {{TCP_NODELAY, 1},
                          {TCP_QUICKACK, 0},
                          {TCP_KEEPIDLE, (int)silence / 3 + 1},
                          {TCP_KEEPINTVL, (int)silence / 3 + 1},
                          {TCP_USER_TIMEOUT, (int)(silence * 1000)}};
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &(int){1}, sizeof(int));
    for (size_t i = 0; i < sizeof tcp / sizeof *tcp; i++)
        setsockopt(fd, IPPROTO_TCP, tcp[i][0], &tcp[i][1], sizeof(int));
}

/* Returns the address without the port. */
static struct in6_addr address_of(const struct sockaddr_storage *at) {
    struct in6_addr address = IN6ADDR_ANY_INIT;
    if (at->ss_family == AF_INET6)
        address = ((const struct sockaddr_in6 *)(const void *)at)->sin6_addr;
    else
        memcpy(&address, &((const struct sockaddr_in *)(const void *)at)->sin_addr, sizeof(struct in_addr));
    return address;
}

/* Some hosts use BBR as congestion control, which paces packets by timers at an estimated rate.  For packets
 * that no network carries this is too slow, at times by a factor of two.  Reno, which every kernel has and
 * every process may choose, sends at once until a packet is lost, and here none is.  A failure to choose it
 * is no error. */
void mer_socket_made(int fd) {
    struct sockaddr_storage own, peer;
    socklen_t own_length = sizeof own, peer_length = sizeof peer;
    if (getsockname(fd, (struct sockaddr *)&own, &own_length) != 0 ||
        getpeername(fd, (struct sockaddr *)&peer, &peer_length) != 0 || own.ss_family != peer.ss_family)
        return;
    struct in6_addr a = address_of(&own), b = address_of(&peer);
    if (memcmp(&a, &b, sizeof a) == 0)
        setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, "reno", sizeof "reno" - 1);
}

int mer_socket_listen(const struct in6_addr *address, in_port_t *port) {
    struct sockaddr_storage at;
    socklen_t length = mer_socket_address(address, 0, &at);
    int fd = socket(at.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, length) != 0 || listen(fd, SOMAXCONN) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &length) != 0) {
        int error = errno;
        if (fd >= 0)
            close(fd);
        errno = error;
        return -1;
    }
    *port = ntohs(at.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)(void *)&at)->sin6_port
                                           : ((struct sockaddr_in *)(void *)&at)->sin_port);
    return fd;
}

int mer_socket_accept(int listener, double silence) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
        mer_socket_limit(fd, silence);
        mer_socket_made(fd);
    }
    return fd;
}

/* Begin to connect to one address. */
static int call(const struct in6_addr *address, in_port_t port, double silence) {
    struct sockaddr_storage to;
    socklen_t length = mer_socket_address(address, port, &to);
    int fd = socket(to.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    mer_socket_limit(fd, silence);
    if (connect(fd, (struct sockaddr *)&to, length) == 0 || errno == EINPROGRESS)
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

int mer_socket_call(const struct mer_host_addresses *peer, const struct mer_host_addresses *own,
                    double silence, int *candidate) {
    int fd = -1;
    errno = EHOSTUNREACH;
    for (; *candidate < peer->count; ++*candidate) {
        const struct in6_addr *address = &peer->addresses[*candidate];
        if (mer_address_leads_to(peer, address, own) &&
            ((fd = call(address, peer->ports[*candidate], silence)) >= 0 || errno == EMFILE ||
             errno == ENFILE))
            break;
    }
    return fd;
}
