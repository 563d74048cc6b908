/* The addresses of this host that others may use, for every conduit over IP.  Compiled into the library and
 * into each module that needs it; knows nothing of conduits.
 */
#ifndef MER_CONDUIT_INTERFACES_H
#define MER_CONDUIT_INTERFACES_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

/* Fill in up to `most` addresses of the interfaces that are up, in the order in which to try them: the
 * address of the default route, then the others, loopback last.  IPv4 addresses are mapped (::ffff:a.b.c.d);
 * link-local ones are left out.  If `wanted' names an interface or an address (MERIDIAN_INTERFACE), only its
 * addresses are filled in; if it is null, all.  Returns the number of addresses, 0 if there is no such
 * interface. */
int mer_interfaces(const char *wanted, struct in6_addr *addresses, int most);

bool mer_address_is_loopback(const struct in6_addr *address);

/* Write an address of the loopback interface.  Returns false if that interface is not up. */
bool mer_loopback(struct in6_addr *loopback);

/* Write bytes that identify this host's network.  They are equal in two processes if these can connect to
 * each other by loopback.
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
/* Fill in this host's addresses, without ports; only one if an interface is wanted.  Returns false if there
 * is no such interface. */
bool mer_host_addresses(const char *wanted, struct mer_host_addresses *own);
/* Returns true if this address of the peer may lead to it from `own'.  If both are one host, only loopback
 * does, or any address if the host has no loopback.  Otherwise no address that both have does: many hosts
 * give the same address to a bridge of their own. */
bool mer_address_leads_to(const struct mer_host_addresses *peer, const struct in6_addr *address,
                          const struct mer_host_addresses *own);

/* Write the address in its own family, as system calls take it, and return its length. */
socklen_t mer_socket_address(const struct in6_addr *address, in_port_t port, struct sockaddr_storage *out);

/* Returns the address as text, which is stored in `text`. */
const char *mer_address_text(const struct in6_addr *address, char text[INET6_ADDRSTRLEN]);

/* Returns true if there is a network card that only libfabric reaches (InfiniBand, RoCE, EFA, Slingshot,
 * Omni-Path). */
bool mer_network_card(void);

#endif
