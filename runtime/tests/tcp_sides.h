/* Two endpoints of the conduit `tcp' in one process, threads 0 and 1 of a job, that talk to each other; and
 * plain sockets that call thread 0. For the tests of that conduit's promises beyond conduit.h. */
#ifndef MER_TESTS_TCP_SIDES_H
#define MER_TESTS_TCP_SIDES_H

#include "conduit/conduits.h"
#include "conduit/tcp/tcp.h"
#include "job.h"

#include <pthread.h>

struct side {
    struct mer_conduit_client client;
    struct mer_conduit_endpoint *end;
    struct mer_tcp_address address;
    long sent, received;
};
extern struct side sides[2];
extern const struct mer_conduit *const conduit;

/* Returns true if connections are encrypted (MERIDIAN_ENCRYPT). */
bool encrypts(void);

/* Opens one endpoint, and stores its address in `own'. */
void open_side(int i, int silence, struct mer_conduit_address *own);
/* Open both endpoints. With `between' not 0, thread 1 calls thread 0 at that port of 127.0.0.1. */
void open_sides_by(in_port_t between);
void open_sides(void);
void poll_sides(void);
void poll_first(void); /* thread 0's alone */
/* Both send `count' more packets, and receive the other's; a lost peer ends the test. */
void talk(long count);
void *close_side(void *side);
void close_sides(void);

/* Return a connection to one of the addresses of thread 0 (-1 if it is refused), or to one that thread 1
 * would call, too. */
int call(int address);
int call_anywhere(void);

/* Returns a socket that listens at this loopback address, with a queue of this length. */
int listen_at(uint32_t address, int queue, in_port_t *port);

/* Receives n bytes, while the endpoints are polled. Returns false if the connection is closed before. */
bool receive_whole(int fd, void *bytes, size_t n, void (*poll_ends)(void));

#endif
