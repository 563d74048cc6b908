/* The internal interface of the conduit `tcp', for the files of this folder: tcp.c (packets), calls.c
 * (connections being set up) and strangers.c (accepted connections whose other end is not known yet). */
#ifndef MER_CONDUIT_TCP_TCP_H
#define MER_CONDUIT_TCP_TCP_H

#include "conduit/conduit.h"
#include "conduit/frames.h"
#include "conduit/tcp/address.h"

#define MER_TCP_STRANGERS 32 /* most accepted connections whose other end is not known yet */

/* The states of a connection; calls.c explains them. */
enum mer_tcp_state {
    MER_TCP_CALLING,  /* caller: connect(2) is under way */
    MER_TCP_CALLED,   /* caller: has sent its hello; waits for the challenge */
    MER_TCP_SHOWN,    /* caller: has also been challenged; waits for the welcome */
    MER_TCP_PAUSING,  /* caller: without a socket; calls again when the deadline has passed */
    MER_TCP_STRANGER, /* callee: has sent a challenge; waits for the hello */
    MER_TCP_WELCOMED, /* callee: has sent a welcome; waits for the confirmation */
    MER_TCP_SECURING, /* both: have welcomed each other, and make a secure channel */
    MER_TCP_OPEN,     /* both: packets are sent */
    MER_TCP_ENDED     /* both: nothing is sent any more */
};

/* A connection, or the attempt to make one. */
struct mer_tcp_link {
    struct mer_link stream; /* first */
    struct mer_tcp *tcp;
    int peer; /* the thread at the other end; -1 if it is not known yet */
    enum mer_tcp_state state;
    bool finished;     /* the peer has said goodbye: it writes no more */
    bool said_goodbye; /* to the peer, perhaps unsent yet */
    bool wants_write;  /* the epoll descriptor watches for capacity to write */
    bool discarded;    /* no longer needed: freed when the current events have been served */
    int candidate;     /* caller: index of the peer's address that is tried */
    int cause;         /* caller: errno of the attempt at the previous address */
    double pause;      /* caller: seconds to wait after the next drop before calling again */
    double deadline;   /* of the state; 0 if it has none */
    double since;      /* stranger: when it was accepted */
    struct mer_tcp_parties parties;
    union { /* the awaited part of the greeting, as far as it has come */
        uint32_t kind;
        struct mer_tcp_challenge challenge;
        struct mer_tcp_hello hello;
        struct mer_tcp_proof proof;
    } greeting;
    size_t greeting_length;
    struct mer_tcp_link *next; /* all connections of this endpoint */
};

/* An endpoint of this conduit. */
struct mer_tcp {
    struct mer_conduit_endpoint end; /* first */
    const struct mer_conduit_client *client;
    struct mer_tcp_address own;
    const struct mer_cipher *cipher;     /* null if connections are not encrypted */
    struct mer_channel_buffers *buffers; /* of the channels */
    struct mer_tcp_address *endpoints;   /* of all threads */
    struct mer_tcp_link **out;           /* by thread: the connection for packets to it, or null */
    struct mer_tcp_link *links;          /* all */
    struct mer_tcp_link *strangers[MER_TCP_STRANGERS]; /* in state MER_TCP_STRANGER, oldest first */
    int strangers_count;
    int listeners[MER_HOST_ADDRESSES]; /* -1 if no peer calls at this address */
    int epoll;
    int timer;                   /* a descriptor that is readable when `due' has passed */
    int spare;                   /* a descriptor kept for a stranger when there is no other; -1 if in use */
    double due;                  /* the earliest deadline; 0 if there is none */
    double resting_until;        /* no connection is accepted before this time; 0 if there is no pause */
    double starved;              /* since when no descriptor has been left for a stranger; 0 if one is */
    bool discarded;              /* some connection is `discarded' */
    int delivered;               /* packets, in this poll */
    bool held;                   /* some link may be `held' */
    unsigned looks;              /* reads of `lately' since epoll_wait */
    struct mer_tcp_link *lately; /* the link that the last packet came from */
    bool closing;
    struct mer_link_buffer buffer;
};

/* tcp.c */
static inline double mer_tcp_silence(const struct mer_tcp *tcp) {
    return tcp->client->silence > 0 ? tcp->client->silence : 30;
}
void mer_tcp_watch(const struct mer_tcp *tcp, int fd, void *what, int operation, uint32_t events);
/* Watch for capacity to write if there is something to write, and only then. */
void mer_tcp_watch_write(struct mer_tcp_link *link);
/* Returns fd, the result of a call that makes a descriptor.  Ends the job with a message if no descriptor is
 * left. */
int mer_tcp_checked(const struct mer_tcp *tcp, int fd);
struct mer_tcp_link *mer_tcp_link_new(struct mer_tcp *tcp, int fd, int peer, enum mer_tcp_state state);
/* Close a connection that is no longer needed, now, and free it when the current events have been served. */
void mer_tcp_discard(struct mer_tcp_link *link);
/* End the connection: nothing is sent over it any more.  The peer is lost unless it has said goodbye. */
void mer_tcp_end_link(struct mer_tcp_link *link, const char *cause);
/* End a connection that has been closed by the peer or is broken; errno is the cause. */
void mer_tcp_broken(struct mer_tcp_link *link);
/* Take packets that have come over an open connection. */
void mer_tcp_receive(struct mer_tcp_link *link);
/* Set the timer so that the endpoint also wakes up at this time. */
void mer_tcp_due(struct mer_tcp *tcp, double when);

/* calls.c */
struct mer_tcp_link *mer_tcp_call(struct mer_tcp *tcp, int peer);
/* Handle an event of a connection that is being set up. */
void mer_tcp_greet(struct mer_tcp_link *link);
/* Act on the deadlines that have passed. */
void mer_tcp_deadlines(struct mer_tcp *tcp);
/* Returns true if the connection to a peer, in this state, gives way to the peer's own call, whose hello has
 * been checked.  first: this thread's number is lower than the peer's. */
bool mer_tcp_gives_way(enum mer_tcp_state state, bool first);

/* strangers.c */
void mer_tcp_accept(struct mer_tcp *tcp);
/* Drop the oldest stranger.  Returns false if there is none. */
bool mer_tcp_drop_stranger(struct mer_tcp *tcp);
/* Take a connection from the list of strangers: it has shown who it is, or is closed. */
void mer_tcp_strange_no_more(struct mer_tcp_link *link);
/* Keep a descriptor for strangers.  Returns false if none is left. */
bool mer_tcp_reserve(struct mer_tcp *tcp);
void mer_tcp_stranger_deadlines(struct mer_tcp *tcp, double now);

#endif
