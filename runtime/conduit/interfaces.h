/* The addresses of this host that others may use: what every conduit over IP has to find out.  Compiled into
 * the library and into each module that needs it; knows nothing of conduits.
 */
#ifndef MER_CONDUIT_INTERFACES_H
#define MER_CONDUIT_INTERFACES_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

/* Fill in up to `most` addresses of the interfaces that are up, the likeliest first: that of the default
 * route, then the others, loopback last; IPv4 addresses are mapped (::ffff:a.b.c.d), link-local ones are left
 * out. Where `wanted' names an interface or an address (MERIDIAN_INTERFACE), only its own; null: all.  The
 * number of addresses; 0: there is no such interface. */
int mer_interfaces(const char *wanted, struct in6_addr *addresses, int most);

bool mer_address_is_loopback(const struct in6_addr *address);

/* An address of the loopback interface; false: it is not up. */
bool mer_loopback(struct in6_addr *loopback);

/* Bytes that identify this host's network: equal in two processes if they can connect to each other by
 * loopback.
 */
void mer_host_identity(unsigned char identity[16]);

/* A host as others know it. */
#define MER_HOST_ADDRESSES 12
struct mer_host_addresses {
    unsigned char identity[16];
    uint16_t count;
    in_port_t ports[MER_HOST_ADDRESSES]; /* where a process listens at each of its addresses */
    struct in6_addr addresses[MER_HOST_ADDRESSES];
};
/* This one, without ports; where an interface is wanted, with one address.  False: there is no such
 * interface. */
bool mer_host_addresses(const char *wanted, struct mer_host_addresses *own);
/* May this address of the peer's lead to it from `own'?  Loopback alone if they are one host (and has it),
 * else none that both have: many hosts give the same one to a bridge of their own. */
bool mer_address_leads_to(const struct mer_host_addresses *peer, const struct in6_addr *address,
                          const struct mer_host_addresses *own);

/* The address as the system's calls take it, in its own family, and its length. */
socklen_t mer_socket_address(const struct in6_addr *address, in_port_t port, struct sockaddr_storage *out);

/* The address for people, of which `text` then holds the letters. */
const char *mer_address_text(const struct in6_addr *address, char text[INET6_ADDRSTRLEN]);

/* Is there a network card that only libfabric reaches (InfiniBand, RoCE, EFA, Slingshot, Omni-Path)? */
bool mer_network_card(void);

#endif
