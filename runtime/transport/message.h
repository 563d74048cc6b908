/* An active message on its way: within a host by the rings of receive_ring.h, between hosts in the packets of
 * transport.h. */
#ifndef MER_TRANSPORT_MESSAGE_H
#define MER_TRANSPORT_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#define MER_AM_PARTS 64

enum mer_am_way { MER_AM_REQUESTS, MER_AM_REPLIES };
enum mer_am_size { MER_AM_IS_SHORT, MER_AM_IS_MEDIUM, MER_AM_IS_LONG };

struct mer_am_body {
    enum mer_am_size size;
    const void *payload;       /* medium: length bytes, */
    const struct iovec *parts; /* or, to another host only and if not null, its parts in order, */
    int nparts;                /* MER_AM_PARTS at most */
    size_t length;
    uint64_t address; /* long: where length bytes have landed */
};

#endif
