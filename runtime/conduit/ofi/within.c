/* Connections between hosts that are this machine: their sockets are to send at once (mer_socket_made says
 * why), which libfabric has no setting for.
 *
 * The sockets are libfabric's.  They are found among the descriptors of the process by their addresses: one
 * that libfabric has made to a peer leads to the port of the peer's endpoint, and one that it has accepted
 * stands on the port of ours; nothing else uses these ports.  The descriptors are looked through once for
 * each peer, when the first packet has gone there or come from there: then its connection is made.
 */
#include "conduit/ofi/ofi.h"
#include "conduit/sockets.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

typedef int address_function(int fd, struct sockaddr *address, socklen_t *length);

/* Is this end's address of a socket that of an endpoint? */
static bool is_at(int fd, address_function *end, const struct sockaddr_in6 *endpoint) {
    struct sockaddr_in6 address = {0};
    socklen_t length = sizeof address;
    return end(fd, (struct sockaddr *)&address, &length) == 0 && length <= sizeof address &&
           memcmp(&address, endpoint, length) == 0;
}

/* Both ports are of one address of this machine. */
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
