/* The internal interface of one end of the transport, for the files of this folder. */
#ifndef MER_TRANSPORT_END_H
#define MER_TRANSPORT_END_H

#include "transport/deferred.h"
#include "transport/pairs.h"
#include "transport/progress.h"
#include "transport/transport.h"

#include <pthread.h>

/* Bytes of the window that are given back at once, without waiting for a packet that is sent anyway.  A part
 * of the least window, because the sender's may differ from the receiver's. */
#define MER_TRANSPORT_GIVE_BACK (32U << 10)

/* ---- packets: a head, and messages one after the other, see transport.c ----------------------------- */

struct mer_packet_head {
    uint32_t returned, number;
};

struct mer_message_head {
    uint16_t handler;
    uint8_t kind; /* MER_REQUEST_BIT and enum mer_am_size */
    uint8_t nargs;
    uint32_t length;
};
#define MER_REQUEST_BIT 0x80U
#define MER_GOODBYE 0xffffU /* in place of a handler: the sender's program has ended */

struct mer_landed { /* after the words of a long message */
    mer_u64 address, extent;
};

static inline enum mer_am_size mer_size_of(const struct mer_message_head *head) {
    return (enum mer_am_size)(head->kind & 3);
}

/* Returns the bytes of a message in its packet. */
static inline size_t mer_bytes_of(const struct mer_message_head *head) {
    size_t landed = mer_size_of(head) == MER_AM_IS_LONG ? sizeof(struct mer_landed) : 0;
    return sizeof *head + head->nargs * sizeof(mer_u64) + landed + ((head->length + 7UL) & ~7UL);
}

/* ---- an end ------------------------------------------------------------------------------------------ */

struct mer_packet;

struct mer_peer {
    struct mer_packet *open;            /* being filled, or null */
    struct mer_packet *first, *last;    /* closed ones for which the conduit had no capacity */
    uint32_t credit;                    /* bytes of requests that may be sent */
    uint32_t owed;                      /* bytes handled and not given back yet */
    uint32_t sent_number, taken_number; /* of packets */
    size_t landed;   /* bytes of the packet being read that have landed elsewhere, padding included */
    void *landed_at; /* the payload, if all of it has landed; else null */
    bool listed;     /* in `busy' */
    bool met;        /* packets have been sent to it or have come from it */
    bool goodbye;
};

struct mer_transport {
    struct mer_rows rows; /* first, see mer_transport_rows; access rules: pairs.h */
    struct mer_transport_config config;
    struct mer_conduit_client client;
    struct mer_conduit_endpoint *endpoint; /* of the conduit */
    size_t packet_most;                    /* most bytes of a packet of small messages */

    /* The lock guards all fields below, except those marked otherwise. */
    pthread_mutex_t lock;
    const void *holder; /* the POSIX thread that holds it (mer_transport_self); atomic */

    struct mer_peer *peers;
    int *busy; /* peers with something to send */
    int busy_count;
    bool pushes; /* the holder of the lock pushes listed packets before it releases the lock */
    int ran;     /* handlers run in this poll */
    bool served; /* the progress thread has run handlers since the thread polled; atomic */
    bool stopping;
    uint32_t polls;           /* number of polls by the thread; atomic */
    unsigned char filling[8]; /* where the padding of a payload lands */
    struct mer_deferred deferred;
    struct mer_progress progress;
    _Alignas(64) unsigned char aligned[MER_AM_MEDIUM]; /* payload of the program's running handler */
};

/* A mark whose address identifies this POSIX thread among those of the process. */
extern _Thread_local char mer_transport_mark;
static inline const void *mer_transport_self(void) { return &mer_transport_mark; }

/* Relaxed: only this POSIX thread makes itself the holder, so the answer does not change meanwhile. */
static inline bool mer_transport_holds(const struct mer_transport *end) {
    return __atomic_load_n(&end->holder, __ATOMIC_RELAXED) == mer_transport_self();
}

/* Take the lock.  Returns true if it has been taken and must be released, false if an outer call holds it
 * already. */
static inline bool mer_transport_enter(struct mer_transport *end) {
    if (mer_transport_holds(end))
        return false;
    pthread_mutex_lock(&end->lock);
    __atomic_store_n(&end->holder, mer_transport_self(), __ATOMIC_RELAXED);
    return true;
}

static inline void mer_transport_leave(struct mer_transport *end, bool entered) {
    if (!entered)
        return;
    __atomic_store_n(&end->holder, NULL, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&end->lock);
}

/* ---- send.c; under the lock ------------------------------------------------------------------------- */

/* Returns the bytes that a message takes from the window. */
uint32_t mer_transport_cost(const struct mer_transport *end, const struct mer_message_head *head,
                            const mer_u64 *args);
/* Wake the progress thread if it sleeps. */
void mer_transport_wake_progress(struct mer_transport *end);
/* Give `cost' bytes of the peer's requests back to its window: they have been handled. */
void mer_transport_give_back(struct mer_transport *end, int from, uint32_t cost);
/* Put a message into the packet that is being filled. */
void mer_transport_append(struct mer_transport *end, int to, const struct mer_message_head *head,
                          const struct mer_am_body *body, const mer_u64 *args);
/* Send all that the conduit and the window permit. */
void mer_transport_push(struct mer_transport *end);
/* After a push, at the end of `pushes'. */
void mer_transport_pushed(struct mer_transport *end);
/* Free the unsent packets. */
void mer_transport_drop(struct mer_transport *end);

/* ---- receive.c: the callbacks of the conduit, whose `user' is the end ---------------------------------- */

void mer_transport_deliver(void *user, int from, const void *packet, size_t length);
int mer_transport_land(void *user, int from, const void *packet, size_t have, size_t length, size_t *at,
                       struct iovec *parts);
void mer_transport_done(void *user, void *context);
void mer_transport_lost(void *user, int peer, const char *cause);

/* ---- transport.c, for progress.c --------------------------------------------------------------------- */

/* Receive and send, as the progress thread.  Returns the number of packets.  *idle becomes true if nothing is
 * left to send and the caller may sleep on the conduit's descriptor; the next message that this thread sends
 * then wakes it (mer_progress_alarm). */
int mer_transport_turn(struct mer_transport *end, bool *idle);

#endif
