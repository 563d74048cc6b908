/* What the files of the conduit `ofi' share: one endpoint of libfabric, and the operations under way on it.
 *
 *   fabric.c    which provider, on which interface; the endpoint and what belongs to it
 *   ofi.c       packets, signs of life, the end: the conduit itself
 *   gone.c      whether a peer that takes nothing has died
 *   tag.c       how packets of the job's threads are told from a stranger's
 *   memory.c    put and get of the threads' memory by the network
 *   within.c    connections between hosts that are this machine
 */
#ifndef MER_CONDUIT_OFI_OFI_H
#define MER_CONDUIT_OFI_OFI_H

#include "conduit/conduit.h"

#include <netinet/in.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

#define OFI_BUFFERS 64 /* most that are posted for packets to come, and most for packets on their way */
#define OFI_NAME 160   /* most bytes of a provider's address */
#define OFI_HEAD 8     /* bytes in front of a packet: its tag; a packet stands at a multiple of 8 */

enum ofi_kind { OFI_RECEIVE, OFI_SEND, OFI_MEMORY };

/* An operation under way.  Providers may keep data of theirs in its head until it is complete. */
struct ofi_operation {
    struct fi_context2 context; /* first: the completion points here */
    enum ofi_kind kind;
    int peer;
    unsigned char *buffer; /* of a packet */
    size_t length;         /* and how much has come */
    uint64_t data;         /* with it */
    uint64_t number;       /* of the packet */
    struct ofi_operation *next;
};

/* What is in a mer_conduit_address. */
struct ofi_endpoint {
    uint64_t key, base; /* of the thread's memory: base is what the provider calls its first byte */
    uint64_t secret[2]; /* by which packets for this endpoint are tagged */
    uint16_t has_memory, length;
    char provider[36];
    unsigned char name[OFI_NAME];
};

/* A peer. */
struct ofi_peer {
    fi_addr_t address;
    uint64_t key, base, secret[2]; /* as in its ofi_endpoint */
    bool has_memory;
    bool finished;                      /* it has said goodbye, or is forgotten */
    bool talked;                        /* packets have gone there or come from there */
    uint64_t sent_number, taken_number; /* of packets */
    struct ofi_operation *early; /* packets that are complete before those that were sent before them */
    double refused;              /* since when nothing can be sent to it; 0: the last could */
    double sent, heard;          /* when last */
    double asked;                /* when its port was asked whether it lives */
    struct sockaddr_in6 port;    /* or sockaddr_in; zeros: it cannot be asked */
    size_t under_way;            /* bytes of puts and gets */
    struct ofi_rma *unanswered;  /* puts that are done with the next that is answered, */
    size_t unanswered_bytes;     /* and their bytes */
};

/* Transfers of memory, begun by put and get (memory.c). */
#define OFI_PARTS 8       /* most pieces of an operation */
#define OFI_RMAS 64       /* operations under way */
#define OFI_TRANSFERS 256 /* at a time; more are refused */
struct ofi_transfer {
    bool put;
    int peer;
    char *here;
    uint64_t there; /* what the provider calls it */
    size_t n, begun;
    int under_way; /* pieces */
    void *context;
    struct ofi_transfer *next; /* in the order in which they were begun */
};

/* An operation of the network: pieces of transfers from or to one peer. */
struct ofi_rma {
    struct ofi_operation operation; /* first */
    bool put;
    bool answered; /* its completion tells that the bytes are seen where they belong */
    int count;     /* of pieces */
    size_t bytes;
    struct ofi_transfer *of[OFI_PARTS];
    struct iovec here[OFI_PARTS];
    struct fi_rma_iov there[OFI_PARTS];
    struct ofi_rma *next; /* free ones, or those that are done with this one */
};

/* An endpoint of this conduit. */
struct ofi {
    struct mer_conduit_endpoint end; /* first */
    const struct mer_conduit_client *client;

    /* Set by fabric.c when it is opened. */
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_av *av;
    struct fid_cq *cq;
    struct fid_ep *ep;
    struct fid_mr *buffers_mr; /* null: the provider does not ask for it */
    void *buffers_desc;
    struct fid_mr *memory_mr; /* null: put and get are not offered */
    int wait_fd;
    struct sockaddr_in6 port; /* of this endpoint, as those of the peers */
    uint64_t secret[2];       /* as in its ofi_endpoint */
    struct ofi_sizes {
        size_t packet, eager; /* see struct mer_conduit_endpoint; with the head */
        size_t put_least, get_least;
        size_t receives, sends;
    } sizes;
    unsigned char *buffers; /* sizes.receives + sizes.sends of sizes.packet bytes each */

    struct ofi_peer *peers; /* by thread number */
    struct ofi_operation sends[OFI_BUFFERS], *free_sends, receives[OFI_BUFFERS];
    struct ofi_operation *unposted; /* buffers for which the provider had no capacity */
    int sending;                    /* packets that are not complete */
    int delivered;                  /* in this poll: packets, and transfers that are done */
    bool closing;
    double moment;    /* of the last poll, which is exact enough, since there is one a second at least */
    double last_look; /* at the signs of life */
    double life;      /* seconds after which a peer that has heard nothing else is sent one */
    struct {          /* gone.c: one question at a time, since it is rare that there is any */
        int fd, peer; /* fd 0: none is open */
        double since;
    } question;
    /* memory.c */
    struct ofi_transfer transfers[OFI_TRANSFERS], *unused, *first, *last;
    struct ofi_transfer *waiting; /* none before it in the queue has pieces that have not begun */
    struct ofi_rma rmas[OFI_RMAS], *free_rma;
    int rma_parts;        /* most pieces of an operation */
    bool writes_in_order; /* to one peer; and contexts may be null */
};

/* The tag of a packet for the endpoint that has this secret: a function of its number and of the completion's
 * data that nobody computes without the secret. */
uint64_t ofi_tag(const uint64_t secret[2], uint64_t number, uint64_t data);
/* Random bytes of the kernel's. */
void ofi_random(const struct ofi *ofi, void *bytes, size_t n);

/* Open the endpoint, and write its address into `own'.  Fails with a message for the user. */
void ofi_fabric_open(struct ofi *ofi, struct ofi_endpoint *own);
void ofi_fabric_close(struct ofi *ofi);

/* Whether a call that gives the provider something for the peer has begun; false: no capacity now.  Errors,
 * and too long a time without capacity, make the peer lost. */
bool ofi_begun(struct ofi *ofi, int peer, long result);

/* An error of libfabric's (positive) in words, with the limit that is in the way. */
const char *ofi_error_text(int error);

/* Is the provider of this name one over TCP? */
bool ofi_over_tcp(const char *provider);

/* The port of an endpoint, if it has one. */
void ofi_port(const struct ofi *ofi, const struct ofi_endpoint *endpoint, struct sockaddr_in6 *port);

/* Is the peer gone?  To be called now and then for peers that accept nothing (refused). */
bool ofi_gone(struct ofi *ofi, int peer, double now);
void ofi_gone_close(struct ofi *ofi);

/* A connection to the peer has been made. */
void ofi_within_machine(const struct ofi *ofi, const struct ofi_peer *peer);

/* put and get of conduit.h; an operation of theirs is complete; go on with those that are not. */
bool ofi_put(struct mer_conduit_endpoint *end, int to, uint64_t address, const void *from, size_t n,
             void *context);
bool ofi_get(struct mer_conduit_endpoint *end, void *into, int to, uint64_t address, size_t n, void *context);
int ofi_memory_complete(struct ofi *ofi,
                        struct ofi_operation *operation); /* how many transfers are done by that */
void ofi_memory_open(struct ofi *ofi);
void ofi_memory_turn(struct ofi *ofi);

#endif
