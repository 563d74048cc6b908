/* The address of an endpoint of the conduit `tcp', and the first frame of a call, which shows that the caller
 * knows it. */
#ifndef MER_CONDUIT_TCP_ADDRESS_H
#define MER_CONDUIT_TCP_ADDRESS_H

#include "conduit/conduit.h"
#include "conduit/interfaces.h"

/* What is in a mer_conduit_address. */
struct mer_tcp_address {
    unsigned char key[16]; /* of this endpoint alone: a random number */
    struct mer_host_addresses host;
};
_Static_assert(sizeof(struct mer_tcp_address) <= MER_CONDUIT_ADDRESS, "an endpoint's address has to fit");

/* The first frame of a connection, MER_FRAME_HELLO (conduit/frames.h). */
struct mer_tcp_hello {
    unsigned char key[16]; /* of the endpoint that is called */
    int32_t from, to;      /* threads */
};

#endif
