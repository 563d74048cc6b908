/* The ways to send packets between the two processes of the measurement. */
#ifndef BENCH_NET_NET_H
#define BENCH_NET_NET_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The data that the two processes share. */
struct net_shared {
    atomic_int arrived, generation; /* of the barrier */
    atomic_int pids[2], loopback;
    char host[2][64];                 /* addresses to bind to */
    unsigned char address[3][2][512]; /* by conduit or libfabric, and process */
    int port;
    long first; /* process 0's value, for all */
};
extern struct net_shared *net;
extern int net_me;

struct way {
    const char *name;
    size_t most;        /* bytes of the longest packet */
    void (*open)(void); /* called by both processes at once, as is close */
    void (*close)(void);
    void (*send)(const void *bytes, size_t n);
    void (*receive)(int count); /* waits until `count' packets have come since the last call */
    /* Writes n bytes into the other's memory, count times, and waits until they are there; null if not
     * offered. */
    void (*put)(const void *bytes, size_t n, int count);
};
extern const struct way way_socket, way_fabric, way_tcp, way_ofi, way_encrypted;

void net_meet(void); /* called by both processes */
_Noreturn void net_die(const char *what, const char *why);

#endif
