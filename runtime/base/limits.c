/* See limits.h. */
#include "base/limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

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
                 "this process has reached its limit on open files, %llu; raise the limit (`ulimit -Hn', or "
                 "that of the service that starts the job)",
                 (unsigned long long)limit.rlim_max);
        break;
    case ENFILE:
        snprintf(text, sizeof text,
                 "this host has reached its limit on open files; raise sysctl fs.file-max");
        break;
    case EADDRINUSE:
    case EADDRNOTAVAIL:
        ports_text(ports, sizeof ports);
        snprintf(text, sizeof text,
                 "no port is free; this host's range of ports is %s: widen the range (sysctl "
                 "net.ipv4.ip_local_port_range)",
                 ports);
        break;
    case ENOBUFS:
        snprintf(text, sizeof text,
                 "the kernel has no memory left for sockets; raise sysctl net.ipv4.tcp_mem");
        break;
    case ETIMEDOUT:
        snprintf(text, sizeof text,
                 "%s; if the host is up, check its firewall and its limit on connections (sysctl "
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

/* Valgrind hands its own library to the program by this variable. */
bool mer_under_valgrind(void) {
    const char *preload = getenv("LD_PRELOAD");
    return preload && strstr(preload, "vgpreload");
}
