/* Two endpoints of the conduit `tcp' in one process, threads 0 and 1 of a job, that talk to each other; and
 * plain sockets that call thread 0.  For the tests of what that conduit promises beyond conduit.h. */
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

/* The setting MERIDIAN_ENCRYPT: are connections encrypted? */
bool encrypts(void);

/* Open one endpoint; its address. */
void open_side(int i, int silence, struct mer_conduit_address *own);
/* Open both.  between: a port of 127.0.0.1 at which thread 1 calls thread 0; 0: none. */
void open_sides_by(in_port_t between);
void open_sides(void);
void poll_sides(void);
void poll_first(void); /* thread 0's alone */
/* Both send so many more packets, and take the other's; who is lost ends the test. */
void talk(long count);
void *close_side(void *side);
void close_sides(void);

/* A connection to one of the addresses of thread 0 (-1: it is refused), or to one where thread 1 would call
 * too. */
int call(int address);
int call_anywhere(void);

/* A socket that listens at this loopback address, with a queue of this length. */
int listen_at(uint32_t address, int queue, in_port_t *port);

/* n bytes, while the endpoints are polled; false: the connection is closed before. */
bool receive_whole(int fd, void *bytes, size_t n, void (*poll_ends)(void));

#endif
