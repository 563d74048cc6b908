/* See sockets.h. */
#include "conduit/sockets.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
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
    if (fd >= 0)
        mer_socket_limit(fd, silence);
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

/* The ports that the system gives out: "32768 60999". */
static void ports_text(char *text, size_t size) {
    snprintf(text, size, "not known");
    FILE *file = fopen("/proc/sys/net/ipv4/ip_local_port_range", "re");
    unsigned least, most;
    if (file && fscanf(file, "%u %u", &least, &most) == 2)
        snprintf(text, size, "%u to %u", least, most);
    if (file)
        fclose(file);
}

const char *mer_limit_text(int error) {
    static char text[256];
    struct rlimit limit;
    char ports[32];
    switch (error) {
    case EMFILE:
        if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
            limit.rlim_max = 0;
        snprintf(text, sizeof text,
                 "this process has as many descriptors as it may, %llu; raise the limit (`ulimit -Hn', or "
                 "that of the "
                 "service that starts the job)",
                 (unsigned long long)limit.rlim_max);
        break;
    case ENFILE:
        snprintf(text, sizeof text, "this host has as many open files as it may; raise sysctl fs.file-max");
        break;
    case EADDRINUSE:
    case EADDRNOTAVAIL:
        ports_text(ports, sizeof ports);
        snprintf(text, sizeof text,
                 "no port is free; widen the range of this host's ports, which is %s (sysctl "
                 "net.ipv4.ip_local_port_range)",
                 ports);
        break;
    case ENOBUFS:
        snprintf(text, sizeof text,
                 "the kernel has no memory for sockets left; raise sysctl net.ipv4.tcp_mem");
        break;
    case ETIMEDOUT:
        snprintf(text, sizeof text,
                 "%s; if the host is there, a firewall or a limit on connections is in the way (sysctl "
                 "net.netfilter.nf_conntrack_max)",
                 strerror(error));
        break;
    default:
        return strerror(error);
    }
    return text;
}

bool mer_descriptors_left(int n) {
    int made[16], count = 0;
    while (count < n && (made[count] = epoll_create1(EPOLL_CLOEXEC)) >= 0)
        count++;
    bool left = count == n || (errno != EMFILE && errno != ENFILE);
    for (int i = 0; i < count; i++)
        close(made[i]);
    return left;
}

void mer_raise_descriptors(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}
