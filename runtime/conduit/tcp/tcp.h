/* The inside of the conduit `tcp', for the files of this folder: tcp.c (packets), calls.c (connections being
 * set up) and strangers.c (connections of nobody yet). */
#ifndef MER_CONDUIT_TCP_TCP_H
#define MER_CONDUIT_TCP_TCP_H

#include "conduit/conduit.h"
#include "conduit/frames.h"
#include "conduit/tcp/address.h"

#define MER_TCP_STRANGERS 32 /* most connections of nobody yet */

/* The states of a connection: calls.c argues them. */
enum mer_tcp_state {
    MER_TCP_CALLING,  /* caller: connect(2) is under way */
    MER_TCP_CALLED,   /* caller: has sent its hello; waits for the challenge */
    MER_TCP_SHOWN,    /* caller: has been challenged, too; waits for the welcome */
    MER_TCP_PAUSING,  /* caller: without a socket; calls again when the deadline has passed */
    MER_TCP_STRANGER, /* callee: has sent a challenge; waits for the hello */
    MER_TCP_WELCOMED, /* callee: has sent a welcome; waits for the confirmation */
    MER_TCP_SECURING, /* both: have welcomed each other, and make a secure channel */
    MER_TCP_OPEN,     /* both: packets go */
    MER_TCP_ENDED     /* both: nothing goes any more */
};

/* A connection, or the attempt to make one. */
struct mer_tcp_link {
    struct mer_link stream; /* first */
    struct mer_tcp *tcp;
    int peer; /* the thread at the other end; -1: it has not shown yet who it is */
    enum mer_tcp_state state;
    bool finished;     /* the peer has said goodbye: it writes no more */
    bool said_goodbye; /* to the peer, perhaps unsent yet */
    bool wants_write;  /* the epoll descriptor watches for capacity to write */
    bool discarded;    /* no longer needed by anybody: freed when the events at hand have been served */
    int candidate;     /* caller: which of the peer's addresses is tried */
    int cause;         /* caller: why the one before it did not do: errno */
    double pause;      /* caller: seconds before the call after the next drop */
    double deadline;   /* of the state, if it has one */
    double since;      /* stranger: when it was accepted */
    struct mer_tcp_parties parties;
    union { /* the part of the greeting that is awaited, as much of it as has come */
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
    const struct mer_cipher *cipher;     /* null: connections are not encrypted */
    struct mer_channel_buffers *buffers; /* for it */
    struct mer_tcp_address *endpoints;   /* of all threads */
    struct mer_tcp_link **out;  /* by thread: the connection that packets to it take; null: none yet */
    struct mer_tcp_link *links; /* all */
    struct mer_tcp_link *strangers[MER_TCP_STRANGERS]; /* those in that state, oldest first */
    int strangers_count;
    int listeners[MER_HOST_ADDRESSES]; /* -1: no peer calls at this address */
    int epoll;
    int timer;                   /* a descriptor that is readable when `due' has passed */
    int spare;                   /* a descriptor kept for a stranger when there is no other; -1: in use */
    double due;                  /* the earliest deadline; 0: none */
    double resting_until;        /* no connection is accepted before; 0: connections are */
    double starved;              /* since when there has been no descriptor for any stranger; 0: there is */
    bool discarded;              /* some connection is */
    int delivered;               /* in this poll */
    bool held;                   /* some link may be */
    unsigned looks;              /* at `lately', since epoll_wait */
    struct mer_tcp_link *lately; /* where the last packet came from */
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
/* The result of a call that makes a descriptor; a fatal message if there is none left. */
int mer_tcp_checked(const struct mer_tcp *tcp, int fd);
struct mer_tcp_link *mer_tcp_link_new(struct mer_tcp *tcp, int fd, int peer, enum mer_tcp_state state);
/* The connection is of no use to anybody: close it now, and free it when the events at hand are served. */
void mer_tcp_discard(struct mer_tcp_link *link);
/* Nothing goes over this connection any more; the peer is lost unless it has said goodbye. */
void mer_tcp_end_link(struct mer_tcp_link *link, const char *cause);
/* The same: the connection is at its end, or broken (errno). */
void mer_tcp_broken(struct mer_tcp_link *link);
/* Take what has come over a connection that is open. */
void mer_tcp_receive(struct mer_tcp_link *link);
/* Wake up at this time, too. */
void mer_tcp_due(struct mer_tcp *tcp, double when);

/* calls.c */
struct mer_tcp_link *mer_tcp_call(struct mer_tcp *tcp, int peer);
/* Something has happened to a connection that is being set up. */
void mer_tcp_greet(struct mer_tcp_link *link);
/* Act on the deadlines that have passed. */
void mer_tcp_deadlines(struct mer_tcp *tcp);
/* May the connection to a peer, in this state, give way to a call of the peer's, which has shown itself?
 * first: this thread's number is lower than the peer's. */
bool mer_tcp_gives_way(enum mer_tcp_state state, bool first);

/* strangers.c */
void mer_tcp_accept(struct mer_tcp *tcp);
/* Drop the oldest stranger; false: there is none. */
bool mer_tcp_drop_stranger(struct mer_tcp *tcp);
/* It is a stranger no more: it has shown who it is, or is closed. */
void mer_tcp_strange_no_more(struct mer_tcp_link *link);
/* Keep a descriptor for strangers; false: there is none left. */
bool mer_tcp_reserve(struct mer_tcp *tcp);
void mer_tcp_stranger_deadlines(struct mer_tcp *tcp, double now);

#endif
