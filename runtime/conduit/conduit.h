/* The interface of conduits.  A conduit carries packets between processes of different hosts, and nothing
 * else.
 *
 * Within a host threads share memory and need no conduit.  Between hosts the runtime (transport/transport.c)
 * puts its active messages together into packets, and a conduit brings a packet to the process of another
 * thread:
 *
 *   reliable   each packet arrives once and whole, or the peer is reported lost
 *   in order   packets from one process to another arrive in the order in which they were sent
 *   bounded    `send' takes a packet or reports that there is no capacity now; it never waits
 *
 * Flow control is not a conduit's business: the runtime never has more than MER_TRANSPORT_WINDOW bytes of
 * requests under way to one process, and always accepts packets from `deliver', so a conduit may read
 * whenever it can.
 *
 * Only the job's own threads are heard.  Anybody who reaches an endpoint may send to it: other users of the
 * machine, and of the network.  The addresses, which the launcher carries, are known to the job's processes
 * alone.  A conduit keeps a secret in them, from the kernel's random numbers (getrandom).  By this secret it
 * recognises a peer before it delivers a packet, answers a message, or allows access to memory.  All else is
 * dropped.
 *
 * A process opens one endpoint; a test may open several.  So the state of an endpoint is in a structure of
 * its own, never in a variable of the file.  The runtime calls an endpoint under one lock, never from two
 * POSIX threads at once; only the descriptor of wait_fd is used without the lock.  A conduit calls back
 * (struct mer_conduit_client) only from inside these calls.  While it delivers, `send', `put' and `get' may
 * be called, `poll' may not.
 *
 * A conduit whose network has remote memory access fills in the operations marked "may be null" too.  If they
 * are null, the runtime uses active messages instead.  To write a conduit, see conduit/template/README.md.
 */
#ifndef MER_CONDUIT_CONDUIT_H
#define MER_CONDUIT_CONDUIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#define MER_CONDUIT_ABI 9
#define MER_CONDUIT_ADDRESS 256       /* most bytes of an endpoint's address */
#define MER_CONDUIT_PACKET_LEAST 8192 /* every conduit carries packets of this many bytes */
#define MER_CONDUIT_PARTS 72          /* most parts of a packet */

struct mer_conduit_address {
    uint32_t length;
    unsigned char bytes[MER_CONDUIT_ADDRESS];
};

/* The user of an endpoint: its place in the job, and its callbacks.  Valid until the endpoint is closed. */
struct mer_conduit_client {
    void *user;           /* passed to the callbacks; the conduit does not use it */
    int thread, threads;  /* this process's thread, and how many the job has */
    int here_first, here; /* the threads of this host: they are never sent to */
    void *memory;         /* this thread's memory that others may name: its whole span, sparse */
    size_t memory_length;
    int silence; /* seconds without a sign of life after which a peer is lost (MERIDIAN_SILENCE); if 0, 30 */
    bool one_machine; /* all threads of the job are on this machine: without `interface', loopback is enough,
                         and nobody outside of the machine is to find the endpoint */
    bool encrypt;     /* packets between hosts are encrypted and authenticated (MERIDIAN_ENCRYPT); set only
                     for conduits that can do this */
    const char *interface; /* the interface of this host to use, by name or address (MERIDIAN_INTERFACE);
                              if null, the likeliest */
    /* A packet has come from thread `from'.  The bytes belong to the conduit and begin at a multiple of 8.
     * They are not used after this returns. */
    void (*deliver)(void *user, int from, const void *packet, size_t length);
    /* Returns the number of parts to which the end of a packet belongs.  The first `have' of its `length'
     * bytes have come from thread `from', and begin at a multiple of 8.  If the result is 0, the packet is
     * delivered as usual.  Otherwise bytes *at <= have to length - 1 are written directly to the parts, one
     * after the other; `parts' has place for MER_CONDUIT_PARTS.  Then `deliver' is given only the first *at
     * bytes, and no other packet of that thread is delivered in between.  A conduit need not call this
     * function; it may be null. */
    int (*land)(void *user, int from, const void *packet, size_t have, size_t length, size_t *at,
                struct iovec *parts);
    /* The operation that was begun with this context (put, get) is complete. */
    void (*done)(void *user, void *context);
    /* Nothing more can be sent to or received from thread `peer', because of `cause' ("the connection was
     * closed").  If this is a loss, the function does not return.  If the peer's program has ended in order,
     * it returns, and the conduit forgets the peer. */
    void (*lost)(void *user, int peer, const char *cause);
    /* Report a problem that the user has to correct (no such provider, no route to ...): the job ends with
     * this one message. */
    void (*fail)(void *user, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));
};

/* Returns true if thread t runs on this host. */
static inline bool mer_conduit_here(const struct mer_conduit_client *client, int t) {
    return t >= client->here_first && t < client->here_first + client->here;
}

/* The common part of all endpoints; a conduit's own structure begins with it. */
struct mer_conduit_endpoint {
    const struct mer_conduit *conduit;
    const struct mer_conduit_client *client;
    size_t packet_most; /* longest packet; >= MER_CONDUIT_PACKET_LEAST */
    /* Packets up to this length take one trip, longer ones a handshake or a copy more.  So messages are put
     * together up to this length.  If 0, the length of a packet makes no difference. */
    size_t packet_eager;
    /* Set by the runtime: packets that are sent now are followed at once by others.  The conduit may hold
     * them back to send them together, until the next poll at the latest. */
    bool more;
    size_t put_least, get_least; /* bytes from which put and get are as fast as messages */
    uint64_t strangers;          /* packets that were dropped because no process of the job had sent them */
};

struct mer_conduit {
    unsigned abi; /* MER_CONDUIT_ABI */
    const char *name;
    bool encrypts; /* if the client asks for it */

    /* Make an endpoint and give its address, which others connect to. */
    struct mer_conduit_endpoint *(*open)(const struct mer_conduit_client *client,
                                         struct mer_conduit_address *own);
    /* Give the endpoint the addresses of all threads; it skips those of this host.  Connections may be made
     * now or with the first packet.  Thousands of peers must be possible. */
    void (*connect)(struct mer_conduit_endpoint *end, const struct mer_conduit_address *addresses);

    /* Send the parts, MER_CONDUIT_PARTS at most, packet_most bytes at most in all, as one packet to thread
     * `to', which is on another host.  The bytes may be reused when the call returns.  Returns false if there
     * is no capacity now; the runtime polls and tries again. */
    bool (*send)(struct mer_conduit_endpoint *end, int to, const struct iovec *parts, int nparts);
    /* Deliver packets that have arrived and go on with unsent ones, without waiting.  Returns the number of
     * calls of the client (packets delivered, operations completed); after 0 the client may sleep. */
    int (*poll)(struct mer_conduit_endpoint *end);
    /* wait_fd returns a descriptor that is readable when poll has something to do (a packet to take, or
     * capacity again after send has refused one).  may_sleep returns false if the caller must poll before it
     * sleeps on the descriptor.  The runtime's progress thread sleeps on it while the program sleeps or
     * computes. */
    int (*wait_fd)(struct mer_conduit_endpoint *end);
    bool (*may_sleep)(struct mer_conduit_endpoint *end);
    /* Send all accepted packets, then end and free the endpoint.  All threads call it, after the last
     * barrier.  Packets that arrive while it closes are not delivered, and a peer that has closed is not
     * reported. */
    void (*close)(struct mer_conduit_endpoint *end);

    /* May be null: remote memory access.  `address' is an offset into the memory that `to' has named, n
     * bytes.  client->done(user, context) tells when a get's bytes are here, or a put's bytes are visible
     * there.  Returns false if there is no capacity now, or if the memory cannot be accessed in this way.
     * `from' and `into' stay valid until done. */
    bool (*put)(struct mer_conduit_endpoint *end, int to, uint64_t address, const void *from, size_t n,
                void *context);
    bool (*get)(struct mer_conduit_endpoint *end, void *into, int to, uint64_t address, size_t n,
                void *context);
};

/* Returns the conduit of this name: compiled in, or a module conduit-NAME.so, which defines `const struct
 * mer_conduit *mer_conduit_module(void)'.  Modules are in MERIDIAN_MODULES, if that is set, else in the
 * directory `meridian' beside the library (conduit/load.c).  If `name' is null or "", returns the first
 * conduit of the table that this host can use (conduit/conduits.h).  Ends the job with a message if there is
 * none. */
const struct mer_conduit *mer_conduit_find(const char *name);

#endif
