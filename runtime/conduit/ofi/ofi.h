/* What the files of the conduit `ofi' share: one endpoint of libfabric, and the operations under way on it.
 *
 *   fabric.c    which provider, on which interface; the endpoint and what belongs to it
 *   ofi.c       packets, signs of life, the end: the conduit itself
 *   gone.c      whether a peer that takes nothing has died
 *   memory.c    put and get of the threads' memory by the network
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

#define OFI_PACKET 65536 /* longest packet */
#define OFI_EAGER 16384  /* rxm asks the receiver before it sends longer ones */
#define OFI_RECEIVES 64  /* buffers posted for packets to come */
#define OFI_SENDS 64     /* buffers for packets on their way */
#define OFI_NAME 160     /* most bytes of a provider's address */

enum ofi_kind { OFI_RECEIVE, OFI_SEND, OFI_MEMORY };

/* An operation under way.  Providers may keep data of theirs in its head until it is complete. */
struct ofi_operation {
    struct fi_context2 context; /* first: the completion points here */
    enum ofi_kind kind;
    int peer;
    unsigned char *buffer;     /* of a packet */
    size_t length;             /* and how much has come */
    uint64_t data;             /* with it */
    struct ofi_transfer *part; /* of which put or get this is a part */
    struct ofi_operation *next;
};

/* What is in a mer_conduit_address. */
struct ofi_endpoint {
    uint64_t key, base; /* of the thread's memory: base is what the provider calls its first byte */
    uint16_t has_memory, length;
    char provider[36];
    unsigned char name[OFI_NAME];
};

/* A peer. */
struct ofi_peer {
    fi_addr_t address;
    uint64_t key, base; /* as in its ofi_endpoint */
    bool has_memory;
    bool finished;                      /* it has said goodbye, or is forgotten */
    bool talked;                        /* packets have gone there or come from there */
    uint32_t sent_number, taken_number; /* of packets */
    struct ofi_operation *early; /* packets that are complete before those that were sent before them */
    double refused;              /* since when nothing can be sent to it; 0: the last could */
    double sent, heard;          /* when last */
    double asked;                /* when its port was asked whether it lives */
    struct sockaddr_in6 port;    /* or sockaddr_in; zeros: it cannot be asked */
};

/* Transfers of memory, begun by put and get. */
#define OFI_PARTS 4      /* of a transfer, under way */
#define OFI_TRANSFERS 16 /* at a time; more are refused, and go by messages */
struct ofi_transfer {
    bool put;
    int peer;
    char *here;
    uint64_t there; /* what the provider calls it */
    size_t n, begun;
    int under_way;
    void *context;
    struct ofi_operation parts[OFI_PARTS];
    struct ofi_operation *free;
    struct ofi_transfer *next;
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
    unsigned char *buffers; /* OFI_RECEIVES + OFI_SENDS of OFI_PACKET bytes each */

    struct ofi_peer *peers; /* by thread number */
    struct ofi_operation sends[OFI_SENDS], *free_sends, receives[OFI_RECEIVES];
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
    struct ofi_transfer transfers[OFI_TRANSFERS], *unused, *active; /* memory.c */
};

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

/* Remember the port of a peer, if it has one.  And: is the peer gone?  To be called now and then for peers
 * that accept nothing (refused). */
void ofi_gone_know(const struct ofi *ofi, struct ofi_peer *peer, const struct ofi_endpoint *endpoint);
bool ofi_gone(struct ofi *ofi, int peer, double now);
void ofi_gone_close(struct ofi *ofi);

/* put and get of conduit.h; a part of one is complete; go on with those that are not. */
bool ofi_put(struct mer_conduit_endpoint *end, int to, uint64_t address, const void *from, size_t n,
             void *context);
bool ofi_get(struct mer_conduit_endpoint *end, void *into, int to, uint64_t address, size_t n, void *context);
int ofi_memory_part(struct ofi *ofi,
                    struct ofi_operation *operation); /* how many transfers are done by that */
void ofi_memory_open(struct ofi *ofi);
void ofi_memory_turn(struct ofi *ofi);

#endif
