/* Shared by the files of the conduit `ofi': one endpoint of libfabric, and the operations under way on it.
 *
 *   fabric.c    which provider, on which interface; the endpoint, its queue and its memory
 *   ofi.c       packets, signs of life, the end: the conduit itself
 *   gone.c      whether a peer that takes nothing has died
 *   tag.c       how packets of the job's threads are told from a stranger's
 *   memory.c    put and get of the threads' memory by the network
 *   within.c    connections between hosts on one machine
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

#define OFI_BUFFERS 64 /* most buffers posted for receiving, and most for sending */
#define OFI_NAME 160   /* most bytes of a provider's address */
#define OFI_HEAD 8     /* bytes before a packet: its tag; a packet stands at a multiple of 8 */

enum ofi_kind { OFI_RECEIVE, OFI_SEND, OFI_MEMORY };

/* An operation under way.  Providers may keep data of their own in its head until it is complete. */
struct ofi_operation {
    struct fi_context2 context; /* first: the completion points here */
    enum ofi_kind kind;
    int peer;
    unsigned char *buffer; /* of a packet */
    size_t length;         /* of the received packet, with its tag */
    uint64_t data;         /* of its completion */
    uint64_t number;       /* of the packet */
    struct ofi_operation *next;
};

/* The content of a mer_conduit_address. */
struct ofi_endpoint {
    uint64_t key, base; /* of the thread's memory; base is the provider's address of its first byte */
    uint64_t secret[2]; /* for the tags of packets to this endpoint */
    uint16_t has_memory, length;
    char provider[36];
    unsigned char name[OFI_NAME];
};

/* The state of a peer. */
struct ofi_peer {
    fi_addr_t address;
    uint64_t key, base, secret[2]; /* as in its ofi_endpoint */
    bool has_memory;
    bool finished;                      /* it has said goodbye, or is forgotten */
    bool talked;                        /* packets have been sent to it or have come from it */
    uint64_t sent_number, taken_number; /* of packets */
    struct ofi_operation *early;        /* complete packets that wait for packets sent earlier */
    double refused;                     /* since when it takes nothing; 0 if it took the last packet */
    double sent, heard;                 /* when last sent to, and heard from */
    double asked;                       /* when its port was last tested (gone.c) */
    struct sockaddr_in6 port;           /* or sockaddr_in; zeros if it cannot be tested */
    size_t under_way;                   /* bytes of puts and gets */
    struct ofi_rma *unanswered;         /* puts that are complete with the next answered one, */
    size_t unanswered_bytes;            /* and their bytes */
};

/* Transfers of memory, begun by put and get (memory.c). */
#define OFI_PARTS 8       /* most pieces of an operation */
#define OFI_RMAS 64       /* operations under way */
#define OFI_TRANSFERS 256 /* under way at a time; more are refused */
struct ofi_transfer {
    bool put;
    int peer;
    char *here;
    uint64_t there; /* the provider's address */
    size_t n, begun;
    int under_way; /* pieces */
    void *context;
    struct ofi_transfer *next; /* in the order in which they were begun */
};

/* An operation of the network: pieces of transfers from or to one peer. */
struct ofi_rma {
    struct ofi_operation operation; /* first */
    bool put;
    bool answered; /* its completion means that the bytes are visible at their destination */
    int count;     /* pieces */
    size_t bytes;
    struct ofi_transfer *of[OFI_PARTS];
    struct iovec here[OFI_PARTS];
    struct fi_rma_iov there[OFI_PARTS];
    struct ofi_rma *next; /* in the free list, or the list of those that complete with this one */
};

/* An endpoint of this conduit. */
struct ofi {
    struct mer_conduit_endpoint end; /* first */
    const struct mer_conduit_client *client;

    /* Set by fabric.c when the endpoint is opened. */
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_av *av;
    struct fid_cq *cq;
    struct fid_ep *ep;
    struct fid_mr *buffers_mr; /* null if the provider does not require it */
    void *buffers_desc;
    struct fid_mr *memory_mr; /* null if put and get are not offered */
    int wait_fd;
    struct sockaddr_in6 port; /* of this endpoint, like those of the peers */
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
    int sending;                    /* packets whose send is not complete */
    int delivered;                  /* in this poll: packets, and complete transfers */
    bool closing;
    double moment;    /* the time of the last poll; exact enough, because there is one a second at least */
    double last_look; /* of the last check of the peers */
    double life;      /* seconds without packets to a peer before a sign of life is sent */
    struct {          /* gone.c: the test of a peer's port; one at a time, because tests are rare */
        int fd, peer; /* fd is 0 if no test is under way */
        double since;
    } question;
    /* memory.c */
    struct ofi_transfer transfers[OFI_TRANSFERS], *unused, *first, *last;
    struct ofi_transfer *waiting; /* all transfers before it in the queue have begun completely */
    struct ofi_rma rmas[OFI_RMAS], *free_rma;
    int rma_parts;        /* most pieces of an operation */
    bool writes_in_order; /* to the same peer; and contexts may be null */
};

/* Returns the tag of a packet for the endpoint that has this secret: a function of the packet's number and of
 * the completion's data that nobody can compute without the secret. */
uint64_t ofi_tag(const uint64_t secret[2], uint64_t number, uint64_t data);
/* Fill in random bytes from the kernel. */
void ofi_random(const struct ofi *ofi, void *bytes, size_t n);

/* Open the endpoint, and write its address into `own'.  If that fails, the job ends with a message for the
 * user. */
void ofi_fabric_open(struct ofi *ofi, struct ofi_endpoint *own);
void ofi_fabric_close(struct ofi *ofi);

/* Returns true if a call that gives the provider an operation for the peer has succeeded, false if there is
 * no capacity now.  The peer is lost if there is an error, or no capacity for too long. */
bool ofi_begun(struct ofi *ofi, int peer, long result);

/* Returns the text of a libfabric error (positive), which names the limit if one has been reached. */
const char *ofi_error_text(int error);

/* Returns true if the provider of this name runs over TCP. */
bool ofi_over_tcp(const char *provider);

/* Writes the port of an endpoint, if it has one. */
void ofi_port(const struct ofi *ofi, const struct ofi_endpoint *endpoint, struct sockaddr_in6 *port);

/* Returns true if the peer is gone.  To be called now and then for peers that accept nothing (refused). */
bool ofi_gone(struct ofi *ofi, int peer, double now);
void ofi_gone_close(struct ofi *ofi);

/* To be called when a connection to the peer has been made (within.c). */
void ofi_within_machine(const struct ofi *ofi, const struct ofi_peer *peer);

/* put and get of conduit.h. */
bool ofi_put(struct mer_conduit_endpoint *end, int to, uint64_t address, const void *from, size_t n,
             void *context);
bool ofi_get(struct mer_conduit_endpoint *end, void *into, int to, uint64_t address, size_t n, void *context);
/* Handle the completion of an operation.  Returns the number of transfers that are complete by that. */
int ofi_memory_complete(struct ofi *ofi, struct ofi_operation *operation);
void ofi_memory_open(struct ofi *ofi);
/* Begin operations for transfers that have waited. */
void ofi_memory_turn(struct ofi *ofi);

#endif
