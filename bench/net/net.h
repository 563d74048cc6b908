/* Ways in which packets go between the two processes of the measurement. */
#ifndef BENCH_NET_NET_H
#define BENCH_NET_NET_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* What the two processes share. */
struct net_shared {
    atomic_int arrived, generation; /* of the barrier */
    atomic_int pids[2], loopback;
    char host[2][64];                 /* addresses to bind to */
    unsigned char address[3][2][512]; /* by conduit or libfabric, and process */
    int port;
};
extern struct net_shared *net;
extern int net_me;

struct way {
    const char *name;
    size_t most;        /* bytes of the longest packet */
    void (*open)(void); /* both processes at once, and close likewise */
    void (*close)(void);
    void (*send)(const void *bytes, size_t n);
    void (*receive)(int count); /* until so many packets have come since the last call */
    /* Write n bytes into the other's memory, count times, until they are there; null: not offered. */
    void (*put)(const void *bytes, size_t n, int count);
};
extern const struct way way_socket, way_fabric, way_tcp, way_ofi, way_encrypted;

void net_meet(void); /* both processes */
_Noreturn void net_die(const char *what, const char *why);

#endif
