/* Connections between hosts on one machine: their sockets must send at once (sockets.c gives the reason), for
 * which libfabric has no setting.
 *
 * The sockets are libfabric's.  They are found among the descriptors of the process by their addresses.  A
 * socket that libfabric has connected to a peer leads to the port of the peer's endpoint, and a socket that
 * it has accepted is at the port of this endpoint; nothing else uses these ports.  The descriptors are
 * searched once for each peer, when the first packet has been sent to it or has come from it: the connection
 * exists from then on.
 */
#include "conduit/ofi/ofi.h"
#include "conduit/sockets.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

typedef int address_function(int fd, struct sockaddr *address, socklen_t *length);

/* Returns true if this end of a socket (getsockname or getpeername) has the address of the endpoint. */
static bool is_at(int fd, address_function *end, const struct sockaddr_in6 *endpoint) {
    struct sockaddr_in6 address = {0};
    socklen_t length = sizeof address;
    return end(fd, (struct sockaddr *)&address, &length) == 0 && length <= sizeof address &&
           memcmp(&address, endpoint, length) == 0;
}

/* Returns true if both ports have the same address, and so are on one machine. */
static bool same_machine(const struct sockaddr_in6 *a, const struct sockaddr_in6 *b) {
    const struct sockaddr_in *a4 = (const void *)a, *b4 = (const void *)b;
    if (a->sin6_family != b->sin6_family)
        return false;
    return a->sin6_family == AF_INET    ? a4->sin_addr.s_addr == b4->sin_addr.s_addr
           : a->sin6_family == AF_INET6 ? memcmp(&a->sin6_addr, &b->sin6_addr, sizeof a->sin6_addr) == 0
                                        : false;
}

void ofi_within_machine(const struct ofi *ofi, const struct ofi_peer *peer) {
    DIR *directory = same_machine(&ofi->port, &peer->port) ? opendir("/proc/self/fd") : NULL;
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        char *end;
        int fd = (int)strtol(entry->d_name, &end, 10);
        if (!*end && end > entry->d_name &&
            (is_at(fd, getpeername, &peer->port) || is_at(fd, getsockname, &ofi->port)))
            mer_socket_made(fd);
    }
    if (directory)
        closedir(directory);
}
