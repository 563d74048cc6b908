/* Non-blocking stream sockets for conduits over IP, with the options that all of them need: packets are sent
 * at once, acknowledgements travel with the answer, and a peer that is silent for too long is an error of the
 * socket.  Knows nothing of conduits.  The functions that return a descriptor return -1 and set errno if they
 * fail; EMFILE and ENFILE mean that there is no descriptor left.
 */
#ifndef MER_CONDUIT_SOCKETS_H
#define MER_CONDUIT_SOCKETS_H

#include "conduit/interfaces.h"

/* Set these options; a peer that is silent for `silence' seconds is an error.  Only for connections that are
 * not made by the functions below. */
void mer_socket_limit(int fd, double silence);

/* To be called when a connection has been made.  If both ends are on this host, avoids delays in the kernel
 * that only networks need. */
void mer_socket_made(int fd);

/* Listen at this address of the host; *port becomes the port. */
int mer_socket_listen(const struct in6_addr *address, in_port_t *port);

/* Accept a connection; silence is in seconds. */
int mer_socket_accept(int listener, double silence);

/* Begin to connect to the peer by its first address, from number *candidate on, that may lead from `own' to
 * it.  *candidate becomes the number of that address.  If no address is left, errno is the error of the last
 * attempt, or EHOSTUNREACH. */
int mer_socket_call(const struct mer_host_addresses *peer, const struct mer_host_addresses *own,
                    double silence, int *candidate);

#endif
