/* This host's addresses by getifaddrs(3), in the order in which other hosts should try them. */
#include "conduit/interfaces.h"

#include "base/system.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};

/* Write the address of a socket address of either family.  Returns false if it is of neither, or
 * link-local. */
static bool address_of(const struct sockaddr *from, struct in6_addr *address) {
    if (from && from->sa_family == AF_INET) {
        memcpy(address->s6_addr, mapped, sizeof mapped);
        memcpy(address->s6_addr + 12, &((const struct sockaddr_in *)(const void *)from)->sin_addr, 4);
        return address->s6_addr[12] != 169 || address->s6_addr[13] != 254;
    }
    if (from && from->sa_family == AF_INET6) {
        *address = ((const struct sockaddr_in6 *)(const void *)from)->sin6_addr;
        return !IN6_IS_ADDR_LINKLOCAL(address);
    }
    return false;
}

bool mer_address_is_loopback(const struct in6_addr *address) {
    return IN6_IS_ADDR_LOOPBACK(address) || (IN6_IS_ADDR_V4MAPPED(address) && address->s6_addr[12] == 127);
}

socklen_t mer_socket_address(const struct in6_addr *address, in_port_t port, struct sockaddr_storage *out) {
    memset(out, 0, sizeof *out);
    if (IN6_IS_ADDR_V4MAPPED(address)) {
        struct sockaddr_in *in = (struct sockaddr_in *)(void *)out;
        in->sin_family = AF_INET;
        in->sin_port = htons(port);
        memcpy(&in->sin_addr, address->s6_addr + 12, 4);
        return sizeof *in;
    }
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)(void *)out;
    in6->sin6_family = AF_INET6;
    in6->sin6_port = htons(port);
    in6->sin6_addr = *address;
    return sizeof *in6;
}

const char *mer_address_text(const struct in6_addr *address, char text[INET6_ADDRSTRLEN]) {
    const char *written = IN6_IS_ADDR_V4MAPPED(address)
                              ? inet_ntop(AF_INET, address->s6_addr + 12, text, INET6_ADDRSTRLEN)
                              : inet_ntop(AF_INET6, address, text, INET6_ADDRSTRLEN);
    return written ? written : "?";
}

bool mer_loopback(struct in6_addr *loopback) {
    struct in6_addr address;
    struct ifaddrs *all;
    bool found = false;
    if (getifaddrs(&all) != 0)
        return false;
    for (struct ifaddrs *i = all; i && !found; i = i->ifa_next) {
        found = (i->ifa_flags & IFF_UP) && address_of(i->ifa_addr, &address) &&
                mer_address_is_loopback(&address);
        if (found)
            *loopback = address;
    }
    freeifaddrs(all);
    return found;
}

/* Write the address that the system would send from to a distant host.  A datagram socket, connected to an
 * address reserved for documentation (RFC 5737), asks the routing table and sends nothing. */
static bool default_route(struct in6_addr *address) {
    struct sockaddr_in outside = {
        .sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(0xc0000201)}};
    struct sockaddr_storage own;
    socklen_t length = sizeof own;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool found = fd >= 0 && connect(fd, (struct sockaddr *)&outside, sizeof outside) == 0 &&
                 getsockname(fd, (struct sockaddr *)&own, &length) == 0 &&
                 address_of((struct sockaddr *)&own, address);
    if (fd >= 0)
        close(fd);
    return found;
}

/* Returns the address's rank; lower ranks are tried first. */
static int rank(const struct in6_addr *address, const struct in6_addr *routed) {
    if (mer_address_is_loopback(address))
        return 3;
    if (routed && memcmp(address, routed, sizeof *address) == 0)
        return 0;
    return IN6_IS_ADDR_V4MAPPED(address) ? 1 : 2;
}

int mer_interfaces(const char *wanted, struct in6_addr *addresses, int most) {
    struct in6_addr routed, address;
    bool has_route = default_route(&routed);
    struct ifaddrs *all;
    int count = 0;
    if (most <= 0 || getifaddrs(&all) != 0)
        return 0;
    for (int r = 0; r <= 3; r++)
        for (struct ifaddrs *i = all; i && count < most; i = i->ifa_next) {
            char text[INET6_ADDRSTRLEN];
            if (!(i->ifa_flags & IFF_UP) || !address_of(i->ifa_addr, &address) ||
                rank(&address, has_route ? &routed : NULL) != r)
                continue;
            if (!wanted || strcmp(wanted, i->ifa_name) == 0 ||
                strcmp(wanted, mer_address_text(&address, text)) == 0)
                addresses[count++] = address;
        }
    freeifaddrs(all);
    return count;
}

void mer_host_identity(unsigned char identity[16]) {
    /* The identity of the kernel's boot distinguishes machines, and its network namespace distinguishes
     * containers. */
    memset(identity, 0, 16);
    char machine[64];
    mer_machine(machine, sizeof machine);
    for (size_t i = 0; machine[i]; i++)
        identity[i % 16] = (unsigned char)(identity[i % 16] * 31 + machine[i]);
    for (size_t i = 0; i < 8; i++)
        identity[i] ^= (unsigned char)(mer_network_space() >> (8 * i));
}

bool mer_host_addresses(const char *wanted, struct mer_host_addresses *own) {
    mer_host_identity(own->identity);
    own->count = (uint16_t)mer_interfaces(wanted, own->addresses, wanted ? 1 : MER_HOST_ADDRESSES);
    return own->count > 0;
}

static bool has_loopback(const struct mer_host_addresses *host) {
    for (int i = 0; i < host->count; i++)
        if (mer_address_is_loopback(&host->addresses[i]))
            return true;
    return false;
}

bool mer_address_leads_to(const struct mer_host_addresses *peer, const struct in6_addr *address,
                          const struct mer_host_addresses *own) {
    bool same = memcmp(peer->identity, own->identity, sizeof own->identity) == 0;
    if (mer_address_is_loopback(address) || same)
        return same && (mer_address_is_loopback(address) || !has_loopback(peer));
    for (int i = 0; i < own->count; i++)
        if (memcmp(&own->addresses[i], address, sizeof *address) == 0)
            return false;
    return true;
}

bool mer_network_card(void) {
    if (access("/dev/cxi0", F_OK) == 0 || access("/dev/hfi1_0", F_OK) == 0)
        return true;
    DIR *cards = opendir("/sys/class/infiniband"); /* RoCE and EFA too */
    bool any = false;
    for (struct dirent *card; cards && !any && (card = readdir(cards));)
        any = card->d_name[0] != '.';
    if (cards)
        closedir(cards);
    return any;
}
