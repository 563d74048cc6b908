/* Active messages between hosts: am.c sends messages to threads of other hosts through the transport.
 *
 * Messages to one thread are put together into packets, which a conduit (conduit/conduit.h) carries.  So
 * small puts, stores, requests and replies to one peer travel together, without a change to the program.  A
 * packet leaves when it is full, when the thread polls or waits, and at the latest when the progress thread
 * polls.
 *
 * Flow control.  A thread has at most MER_TRANSPORT_WINDOW bytes of requests under way to another one.  The
 * bytes of the replies that they ask for are counted with them.  Long data for a memory handler count a
 * sixteenth, because they are never deferred.  The bytes of handled requests are given back in the head of
 * the next packet the other way.  Replies need no permission, and never wait to leave, but are queued.  So
 * the memory of a thread is bounded by the window and the number of threads that it communicates with, and
 * `deliver' always accepts packets.  There is no cycle of waits: a thread that waits for permission to send a
 * request handles everything that arrives meanwhile, and a handler never waits.
 *
 * Long payloads are sent directly from their memory, in one part or in several, in a packet of their own.  If
 * the conduit supports it they land at their destination: only the network copies them.
 *
 * Who runs handlers.  Memory handlers (MER_HANDLER_MEMORY) touch memory as another thread of the host would,
 * and may reply.  The POSIX thread that reads the packet runs them: the thread in its polls and waits, or,
 * while it computes or sleeps, the progress thread (progress.c).  The progress thread defers all other
 * messages to the thread (deferred.h).  Messages of each of these two classes keep their order.
 *
 * All state is in struct mer_transport, one end; a process has one, a test may have several.
 */
#ifndef MER_TRANSPORT_TRANSPORT_H
#define MER_TRANSPORT_TRANSPORT_H

#include "base/settings.h"
#include "conduit/conduit.h"
#include "host/job.h"
#include "transport/handlers.h"
#include "transport/message.h"
#include "transport/pairs.h"

/* The least window holds the longest request with its reply. */
#define MER_TRANSPORT_WINDOW ((uint32_t)mer_setting(WINDOW))
/* Most bytes of a packet of small messages, or fewer if the conduit carries fewer at once.  Enough that
 * hundreds of messages share the cost of sending, a full row of pairs among them (pairs.h), and few enough
 * that the receiver works on one packet while the next is being filled. */
#define MER_TRANSPORT_PACKET ((size_t)mer_setting(PACKET))

/* Payloads of this length or more are long: they cost less, and should be multiples of 8 bytes. */
#define MER_TRANSPORT_LONG (16U << 10)

struct mer_transport;

/* This process's end.  Null if all threads are on this host, or the end is not open yet. */
extern struct mer_transport *mer_transport;

/* Returns the end for messages to thread t, or null if the thread is on this host and messages go through
 * shared memory. */
static inline struct mer_transport *mer_transport_to(int t) {
    return __builtin_expect(mer_transport != NULL, 0) && !mer_on_host(t) ? mer_transport : NULL;
}

/* ---- an end ------------------------------------------------------------------------------------------ */

struct mer_transport_config {
    int thread, threads;  /* the end's thread, and the number of threads */
    int here_first, here; /* the threads of this host */
    void *memory;         /* the thread's span, for the conduit's get and put by others */
    size_t memory_length;
    int silence;           /* seconds after which a silent peer is lost */
    bool one_machine;      /* for the conduit: all threads of the job are on this machine */
    bool encrypt;          /* for the conduit: MERIDIAN_ENCRYPT */
    const char *interface; /* for the conduit: MERIDIAN_INTERFACE, or null */
    const struct mer_conduit *conduit;
    struct mer_handlers *handlers;
    /* Handle messages of all kinds while a request waits for permission.  Returns their number, or -1 if none
     * may be handled here. */
    int (*poll)(void *user);
    void *user;
};

/* Open an end, and give its address.  The calling POSIX thread becomes the one that runs handlers; it sends
 * and polls, and so do its handlers. */
struct mer_transport *mer_transport_open(const struct mer_transport_config *config,
                                         struct mer_conduit_address *own);
/* Set the addresses of all threads' ends, by thread, before anything is sent. */
void mer_transport_connect(struct mer_transport *end, const struct mer_conduit_address *all);
/* Serve the requests of others while the thread computes. */
void mer_transport_start_progress(struct mer_transport *end);
/* Send all messages and free the end; after the last barrier. */
void mer_transport_close(struct mer_transport *end);
/* For a thread that ends with a failure, without a last barrier, while its messages are still under way,
 * perhaps on a connection yet to be made.  Other threads may wait for these in a barrier that this thread has
 * left; they should leave the barrier and print their output in the time that the launcher gives them.
 * Messages are not acknowledged, so this goes on for a fixed time, less than the launcher's.  Peers that end
 * in the same way are no loss.  Has no effect if called from a memory handler. */
void mer_transport_linger(struct mer_transport *end);

/* ---- messages ---------------------------------------------------------------------------------------- */

/* Send a message; the payload has been copied on return.  A request may wait for permission and handle
 * messages meanwhile; a reply does not. */
void mer_transport_send(struct mer_transport *end, int to, enum mer_am_way way, int handler,
                        const struct mer_am_body *body, const mer_u64 *args, int nargs);

/* Replies sent between these two calls leave at the end, without waking the progress thread.  `begin' returns
 * false if that is not possible now, and the replies leave with the next poll; its result is passed to
 * `end'. */
bool mer_transport_begin(struct mer_transport *end);
void mer_transport_end(struct mer_transport *end, bool begun);

/* Send a pair of words, as a part of the payload of a request.  The request holds consecutive pairs to the
 * thread for this handler and counter, without another message in between.  With a counter, the request
 *   - asks for a reply of as many bytes as it holds (MER_HANDLER_LENGTH_WORD);
 *   - has the address of a struct mer_asked as its first word;
 *   - holds the second words of the pairs (pairs.h).
 * Without a counter it has no words.  For a handler of single words (MER_HANDLER_WORDS) only the first word
 * of a pair travels.  Not from handlers.  Pairs of other POSIX threads than the thread travel alone. */
void mer_transport_send_pair(struct mer_transport *end, int to, int handler, mer_u64 first, mer_u64 second,
                             int *counter);

/* Returns the end's rows, for mer_rows_add: the most frequent case, without a call. */
static inline struct mer_rows *mer_transport_rows(struct mer_transport *end) {
    return (struct mer_rows *)(void *)end; /* its first member */
}

/* Send waiting packets, receive, and run handlers.  Returns the number of handlers run.  The thread only. */
int mer_transport_poll(struct mer_transport *end);

/* Returns the longest payload for a memory handler whose first word is its destination: limited by the
 * conduit's packets and by the memory for queued answers.  Within the host (a null end) it is
 * MER_AM_MEDIUM. */
size_t mer_transport_medium(const struct mer_transport *end);
/* Returns the bytes for the next message, out of n bytes, at most `most'; whole words if it is long. */
static inline size_t mer_transport_part(size_t n, size_t most) {
    return n > most ? most : n > MER_TRANSPORT_LONG ? n & ~(size_t)7 : n;
}

/* Returns true if the thread has begun to change memory of other hosts, or has learnt that such a change is
 * complete, since the last call.  All messages count except those to MER_HANDLER_READS.  The thread only. */
bool mer_transport_wrote(struct mer_transport *end);

/* To be called when the thread is about to sleep (true), or is awake again. */
void mer_transport_rest(struct mer_transport *end, bool rest);

/* Take the end's lock, under which memory handlers run.  Returns true if it has been taken now.  Has no
 * effect on a null end. */
bool mer_transport_guard(struct mer_transport *end);
void mer_transport_unguard(struct mer_transport *end, bool guarded);

/* Tell the conduit that messages follow each other closely from now on (more), or no longer.  It may hold
 * packets back to send them together, until the next poll at the latest. */
void mer_transport_more(struct mer_transport *end, bool more);

/* ---- the conduit's get and put ------------------------------------------------------------------------- */

/* Returns true if the conduit has a put or a get of its own (remote memory access) that is faster for n
 * bytes.  False for a null end. */
bool mer_transport_has_rma(const struct mer_transport *end, bool put, size_t n);

/* Begin a read or a write of memory in the view of a thread of another host by the conduit's get or put, in
 * no order with messages.  *counter is raised by one, and lowered when the operation is complete; the bytes
 * of a put must not change until then.  Returns false if the conduit cannot do this, or not now: use
 * messages. */
bool mer_transport_get(struct mer_transport *end, void *to, mer_u64 bits, size_t n, int *counter);
bool mer_transport_put(struct mer_transport *end, mer_u64 bits, const void *from, size_t n, int *counter);

#endif
