/* Active messages between hosts: what am.c sends to a thread of another host goes through here.
 *
 * Messages to one thread are put together into packets, which a conduit (conduit/conduit.h) carries.  So
 * small puts, stores, requests and replies to one peer travel together, without a word in the program.  A
 * packet leaves when it is full, when the thread polls or waits, and at the latest when the progress thread
 * looks.
 *
 * Flow control.  A thread has at most MER_TRANSPORT_WINDOW bytes of requests under way to another one.  The
 * bytes of the replies that they ask for are counted with them.  Long data that a memory handler takes count
 * a sixteenth, since they are never deferred.  What has been handled is given back in the head of the next
 * packet the other way.  Replies need no such permission, and never wait to leave, but are queued.  So the
 * memory of a thread is bounded by the window and the number of threads that it communicates with, and
 * `deliver' always takes what comes.  There is no cycle of waits: a thread that waits for permission to send
 * a request handles everything that arrives meanwhile, and a handler never waits.
 *
 * Long payloads are sent from where they lie, in one part or in several, in a packet of their own, and where
 * the conduit supports it they land where they belong: nothing copies them but the network.
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
/* Small messages go together up to here, or what the conduit carries at once: enough that the cost of sending
 * is shared by hundreds, a full row of pairs among them (pairs.h), and so little that the receiver works on
 * one packet while the next is being filled. */
#define MER_TRANSPORT_PACKET ((size_t)mer_setting(PACKET))

/* Payloads of this length or more are long: they cost less, and should be multiples of 8 bytes. */
#define MER_TRANSPORT_LONG (16U << 10)

struct mer_transport;

/* This process's end; null: all threads are on this host, or the end is not open yet. */
extern struct mer_transport *mer_transport;

/* The end for messages to thread t; null: it is on this host, and they go through shared memory. */
static inline struct mer_transport *mer_transport_to(int t) {
    return __builtin_expect(mer_transport != NULL, 0) && !mer_on_host(t) ? mer_transport : NULL;
}

/* ---- an end ------------------------------------------------------------------------------------------ */

struct mer_transport_config {
    int thread, threads;  /* whose end it is, and how many threads there are */
    int here_first, here; /* the threads of this host */
    void *memory;         /* that others may read and write by the conduit's get and put: the thread's span */
    size_t memory_length;
    int silence;           /* seconds after which a silent peer is lost */
    bool one_machine;      /* for the conduit: all threads of the job are on this machine */
    bool encrypt;          /* for the conduit: MERIDIAN_ENCRYPT */
    const char *interface; /* for the conduit: MERIDIAN_INTERFACE; null: none */
    const struct mer_conduit *conduit;
    struct mer_handlers *handlers;
    /* Handle messages of all kinds while a request waits for permission; how many, or -1: none may be handled
     * here. */
    int (*poll)(void *user);
    void *user;
};

/* Open an end, and give its address.  The calling POSIX thread is the one that runs handlers; it sends and
 * polls, and handlers do. */
struct mer_transport *mer_transport_open(const struct mer_transport_config *config,
                                         struct mer_conduit_address *own);
/* The addresses of all threads' ends, by thread; before anything is sent. */
void mer_transport_connect(struct mer_transport *end, const struct mer_conduit_address *all);
/* Serve the requests of others while the thread computes. */
void mer_transport_start_progress(struct mer_transport *end);
/* After the last barrier: everything sent has left, and the end is freed. */
void mer_transport_close(struct mer_transport *end);
/* For a thread that leaves with a failure, without a last barrier, while what it has sent is still under way,
 * perhaps behind a connection yet to be made.  Others may wait for it in a barrier that this thread has left;
 * they are to come out and print their output in the time that the launcher gives them.  Nothing is
 * acknowledged, so this goes on for a fixed time, less than the launcher's.  Peers that leave likewise are no
 * loss.  Does nothing if called from a memory handler. */
void mer_transport_linger(struct mer_transport *end);

/* ---- messages ---------------------------------------------------------------------------------------- */

/* Put a message on its way; the payload has been copied on return.  A request may wait for permission and
 * handle messages meanwhile; a reply does not. */
void mer_transport_send(struct mer_transport *end, int to, enum mer_am_way way, int handler,
                        const struct mer_am_body *body, const mer_u64 *args, int nargs);

/* Replies that are sent between these two leave at the end, and wake no progress thread that would see to it.
 * False: not now, so that they leave with the next poll; what `begin' says is to be given to `end'. */
bool mer_transport_begin(struct mer_transport *end);
void mer_transport_end(struct mer_transport *end, bool begun);

/* Put a pair of words on its way, as a part of the payload of a request, which holds pairs for this handler
 * and counter that go to the thread without another message in between.  With a counter the request asks for
 * a reply of as many bytes as it holds (MER_HANDLER_LENGTH_WORD), has the address of a struct mer_asked as
 * its first word, and holds the second words of the pairs (pairs.h); without one it has no words.  Of a pair
 * for a handler of single words (MER_HANDLER_WORDS) the first word travels.  Not from handlers.  Pairs of
 * other POSIX threads than the thread travel alone. */
void mer_transport_send_pair(struct mer_transport *end, int to, int handler, mer_u64 first, mer_u64 second,
                             int *counter);

/* Its rows, for mer_rows_add: what is most usual without a call. */
static inline struct mer_rows *mer_transport_rows(struct mer_transport *end) {
    return (struct mer_rows *)(void *)end; /* its first member */
}

/* Send what is under way, take what has come, run the handlers; how many ran.  The thread only. */
int mer_transport_poll(struct mer_transport *end);

/* The longest payload for a memory handler whose first word is where it goes: what fits into the conduit's
 * packets; for a null end, within the host, MER_AM_MEDIUM. */
size_t mer_transport_medium(const struct mer_transport *end);
/* How much of n bytes goes in the next message, of at most `most': whole words of what is long. */
static inline size_t mer_transport_part(size_t n, size_t most) {
    return n > most ? most : n > MER_TRANSPORT_LONG ? n & ~(size_t)7 : n;
}

/* Has the thread begun to change what other hosts have, or learnt that such a change is complete, since it
 * last asked?  All messages count but those to MER_HANDLER_READS.  The thread only. */
bool mer_transport_wrote(struct mer_transport *end);

/* The thread is about to sleep (true), or is awake again. */
void mer_transport_rest(struct mer_transport *end, bool rest);

/* Hold the end's lock, which memory handlers run under; true: taken now.  A null end: nothing to do. */
bool mer_transport_guard(struct mer_transport *end);
void mer_transport_unguard(struct mer_transport *end, bool guarded);

/* Messages follow each other closely from here on (more), or no longer: the conduit may let packets leave
 * together, at the next poll at the latest. */
void mer_transport_more(struct mer_transport *end, bool more);

/* ---- the conduit's get and put ------------------------------------------------------------------------- */

/* Has the conduit a put or a get of its own (remote memory access) that is worth it for n bytes?  A null end:
 * no. */
bool mer_transport_has_rma(const struct mer_transport *end, bool put, size_t n);

/* Begin a read or a write of memory in the view of a thread of another host by the conduit's get or put, in
 * no order with messages.  *counter is raised by one, and lowered when the operation is complete; a
 * put's bytes stay as they are until then.  False: the conduit does not do this, or not now: use messages. */
bool mer_transport_get(struct mer_transport *end, void *to, mer_u64 bits, size_t n, int *counter);
bool mer_transport_put(struct mer_transport *end, mer_u64 bits, const void *from, size_t n, int *counter);

#endif
