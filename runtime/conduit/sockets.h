/* Non-blocking stream sockets for conduits over IP, with the options that all of them need: packets go at
 * once, acknowledgements with the answer, and a peer that is silent for too long is an error of the socket's.
 * Knows nothing of conduits.  A descriptor, or -1 and errno; EMFILE and ENFILE: there is no descriptor left.
 */
#ifndef MER_CONDUIT_SOCKETS_H
#define MER_CONDUIT_SOCKETS_H

#include "conduit/interfaces.h"

/* Those options; a peer that is silent for so many seconds is an error.  For connections that are made
 * otherwise than below. */
void mer_socket_limit(int fd, double silence);

/* A connection has been made.  If it is one within this host, what the kernel does for the sake of networks
 * is kept from it. */
void mer_socket_made(int fd);

/* Listen at this address of the host; *port becomes the port. */
int mer_socket_listen(const struct in6_addr *address, in_port_t *port);

/* Accept a connection; silence: seconds. */
int mer_socket_accept(int listener, double silence);

/* Begin to connect to the peer, by the first address and its port that may lead from `own' to it, from number
 * *candidate on; *candidate becomes its number.  EHOSTUNREACH, or why the last did not do: none is left. */
int mer_socket_call(const struct mer_host_addresses *peer, const struct mer_host_addresses *own,
                    double silence, int *candidate);

#endif
