/* Active messages of the runtime itself: handlers with fixed numbers after those of users, and the accessors
 * built on them (access.c, atomic.c, tree.c), as in figures 6-7 and 6-8 of libsplit-c. */
#ifndef MER_AM_AM_H
#define MER_AM_AM_H

#include "base/rva.h"
#include "base/settings.h"
#include "transport/handlers.h"
#include "transport/message.h"

#include <meridian/am.h>
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Numbers of the runtime's handlers. */
enum mer_am_own {
    MER_AM_LAND = MER_AM_HANDLERS, /* a part of a long payload, for memory that is remote to the sender */
    MER_AM_GET,
    MER_AM_GOT,
    MER_AM_PUT,
    MER_AM_ACK,
    MER_AM_STORE,
    MER_AM_ATOMIC,
    MER_AM_ATOMIC_CALL,
    MER_AM_ENQUEUE,
    MER_AM_RESULT,
    MER_AM_TREE,
    MER_AM_CALL,
    MER_AM_CALLED,
    MER_AM_FILL,
    MER_AM_WRITE,
    MER_AM_CALL_ONE_WAY,
    MER_AM_CONFIRM,
    MER_AM_GRANT,
    MER_AM_ENTRIES, /* am/barrier.c */
    MER_AM_BLOCK,
    MER_AM_PIECES_GET, /* pieces.c */
    MER_AM_PIECES_GOT,
    MER_AM_PIECES_PUT,
    MER_AM_ACCUMULATE, /* write.c */
    MER_AM_FUNCTION,   /* function.c */
    MER_AM_WRITES,     /* pairs: see mer_am_pair */
    MER_AM_ACCUMULATES,
    MER_AM_GETS,
    MER_AM_GOTS,
    MER_AM_ATOMICS, /* pairs: atomics of a dialect, which registers the handler */
    MER_AM_COUNTS,  /* single words: likewise, atomics without an operand */
    MER_AM_PIECES_PUT_LONG,
    MER_AM_WRITE_POST, /* write.c */
    MER_AM_NUMBERS
};
static_assert((int)MER_AM_WRITES == MER_PAIR_WRITES && (int)MER_AM_ACCUMULATES == MER_PAIR_ACCUMULATES &&
                  (int)MER_AM_GETS == MER_PAIR_GETS && (int)MER_AM_ATOMICS == MER_PAIR_ATOMICS &&
                  (int)MER_AM_COUNTS == MER_PAIR_COUNTS,
              "compiled code has these numbers (meridian/rows.h)");
static_assert(MER_AM_NUMBERS <= MER_HANDLER_NUMBERS, "the table of handlers holds them");

/* Register a handler of the runtime.  kind: of enum mer_handler_kind, for the transport and for progress
 * threads. */
void mer_am_set_handler(enum mer_am_own number, mer_am_handler *handler, unsigned kind);
/* Register the function that says where long payloads of a handler land (transport/handlers.h). */
void mer_am_set_places(enum mer_am_own number, mer_handler_places *places);

/* Send medium messages to threads of other hosts, like mer_am_request_medium and mer_am_reply_medium.  The
 * payload of `length' bytes lies in nparts <= MER_AM_PARTS parts, which may be reused on return. */
void mer_am_request_parts(int to, int handler, const struct iovec *parts, int nparts, size_t length,
                          const mer_u64 *args, int nargs);
void mer_am_reply_parts(struct mer_am_message *request, int handler, const struct iovec *parts, int nparts,
                        size_t length, const mer_u64 *args, int nargs);

/* Send a pair of words to a thread of another host, in a request that holds many pairs
 * (mer_transport_send_pair).  Returns false if the thread is on this host; then nothing has been sent. */
bool mer_am_pair(int to, enum mer_am_own number, mer_u64 first, mer_u64 second, int *counter);
/* Returns an address of local or remote memory with a tag, a number below 2^16, in the bits above it, as
 * compiled code makes it too (meridian/rows.h). */
static inline mer_u64 mer_am_tagged(mer_u64 address, mer_u64 tag) { return mer_row_tagged(address, tag); }
static inline mer_u64 mer_am_tag(mer_u64 tagged) { return tagged >> MER_THREAD_SHIFT; }

/* Copies n bytes, for handlers.  Words are the most usual: they are written by one store, as another thread
 * of the host would write them, and a copy of a length that the C compiler knows needs no call. */
static inline void mer_am_copy(void *to, const void *from, size_t n) {
    if (n == sizeof(mer_u64))
        memcpy(to, from, sizeof(mer_u64));
    else if (n == sizeof(uint32_t))
        memcpy(to, from, sizeof(uint32_t));
    else if (to != from) /* the conduit may have put it there */
        memcpy(to, from, n);
}

/* Prepare the memory by which others send to this thread.  Start-up, before any thread of this host sends. */
void mer_am_open(void);
/* Receive messages from here on, in polls and in all waits; idempotent. */
void mer_am_start(void);
/* Choose whether a sender or a sleeping receiver executes the fence between them (transport/receive_ring.h);
 * until this call the sender does.  Start-up, once it is known whether there are more threads than cores. */
void mer_am_settle_fence(void);

/* ---- am.c: this process's end of the transport --------------------------------------------------------- */

/* Let compiled code add pairs to its rows (meridian/rows.h) from here on, unless calls are recorded. */
void mer_am_open_rows(void);
/* Open this process's end of the transport, give the others its address by `exchange' (boot/boot.h), and
 * start the progress thread.  Start-up of jobs on several hosts. */
void mer_am_transport_start(void (*exchange)(const void *mine, size_t n, void *all));
/* Call mer_transport_close and mer_transport_linger; on one host, do nothing. */
void mer_am_transport_stop(void);
void mer_am_transport_linger(void);

/* ---- reference.c: the progress thread on one host with MERIDIAN_REFERENCE=1 --------------------------- */

/* Start the progress thread, with which the rings are shared from here on.  Start-up, once messages are
 * received. */
void mer_reference_start(void);
/* End the progress thread and wait for its end; if none runs, do nothing. */
void mer_reference_stop(void);

/* With a progress thread: handle the messages in the rings, for mer_am_poll; handle replies only, for a
 * thread that waits to reply; hold the lock under which memory handlers run, like mer_transport_guard.  The
 * first two return how many messages they handled, at least. */
int mer_reference_poll(void);
int mer_reference_drain_replies(void);
bool mer_reference_guard(void);
void mer_reference_unguard(bool guarded);

/* ---- access.c: memory by message ----------------------------------------------------------------------- */

void mer_global_handlers(void);

/* Returns true if this process may access the memory by loads and stores: local memory and, for reads, the
 * program's text and constant data, which all processes have alike. */
bool mer_am_direct(mer_u64 bits, bool write);
/* End the job with a message if bits is null or names no thread.  `what`: the access, such as "a read". */
void mer_am_check(mer_u64 bits, const char *what);

/* Begin to set n bytes to c; *counter: as for mer_am_get. */
void mer_am_fill(mer_u64 bits, int c, size_t n, int *counter);
/* Gets and puts of so many bytes try those of the conduit, which copy nothing. */
#define MER_AM_BULK ((size_t)mer_setting(BULK))
/* Returns true if a get or a put of n bytes goes by that of the conduit. */
bool mer_am_by_rma(mer_u64 bits, bool put, size_t n);
/* Begin to fetch or to write n bytes; *counter is raised by the number of messages and lowered as they are
 * answered.  to: a local address that stays valid until then; from: may be reused at once. */
void mer_am_get(void *to, mer_u64 bits, size_t n, int *counter);
void mer_am_put(mer_u64 bits, const void *from, size_t n, int *counter);
/* Send the gets that wait in rows (transport/pairs.h). */
void mer_am_get_send(void);

/* Store n bytes.  When they arrive, the receiver's counter at the local address `received' is raised by n; if
 * `received' is null, its mer_am.stored of the sender's epoch. */
void mer_am_store(mer_u64 bits, const void *from, size_t n, mer_i64 *received);

/* Returns the bytes of all mer_am_store calls of this thread, less those that have come to it; for
 * all_store_sync. */
mer_i64 mer_am_in_flight(void);

void mer_am_wait_counter(const int *counter);

/* ---- call.c: two-way calls, a function that runs on another thread ------------------------------------- */

void mer_call_handlers(void);

/* A service: a function that runs on the called thread, in a handler, and so may neither send nor wait.  in:
 * the caller's argument; out: a buffer for the answer; both aligned to 8 bytes.  Returns the bytes of the
 * answer, MER_AM_RESULT_MOST at most. */
typedef size_t mer_am_service(int caller, const void *in, void *out);
#define MER_AM_RESULT_MOST 56
/* Run a service now, while no other one runs in this process.  Returns the length of its answer. */
size_t mer_am_serve(mer_am_service *service, int caller, const void *in, void *out);
/* Have thread `to' run the service with n <= MER_AM_MEDIUM bytes of `in', and wait for its answer, of which m
 * bytes go to `out'.  If `to' is this thread, the service is called directly. */
void mer_am_call(int to, mer_am_service *service, const void *in, size_t n, void *out, size_t m);
/* Begin a call as by mer_am_call: raises *waiting, and lowers it when the answer is at `out'.  Replies may
 * change *waiting meanwhile, as for a get.  If there is no memory for the call, or if `to' is this thread, it
 * is complete on return. */
void mer_am_call_start(int to, mer_am_service *service, const void *in, size_t n, void *out, size_t m,
                       int *waiting);

/* Run a service on thread t's host and wait for its answer.  If t is on this host, this thread runs it, so
 * the service may access the memory of any thread of its host, under the locks of that memory. */
void mer_am_call_host(int t, mer_am_service *service, const void *in, size_t n, void *out, size_t m);

/* ---- function.c: messages that name the function that runs --------------------------------------------- */

void mer_function_handlers(void);

#define MER_AM_FUNCTION_WORDS (MER_AM_ARGS - 1)
/* Run the function on thread `to', with these words; nwords <= MER_AM_FUNCTION_WORDS.  mer_am_function_reply:
 * from a function that a request has called, to the thread that sent the request. */
void mer_am_function(int to, mer_rva_code *function, const mer_u64 *words, int nwords);
void mer_am_function_reply(int to, mer_rva_code *function, const mer_u64 *words, int nwords);

/* ---- write.c: writes and one-way calls that are complete at a fence ------------------------------------ */

void mer_write_handlers(void);

/* Write n bytes; `from' may be reused at once.  A later message of this thread to that owner finds the bytes
 * written. */
void mer_am_write(mer_u64 bits, const void *from, size_t n);
/* Write n > 0 bytes, and then post a number of an event (base/wait.h) in that thread's memory: a thread that
 * waits for the number finds the bytes written. */
void mer_am_write_post(mer_u64 bits, const void *from, size_t n, mer_u64 event, uint32_t number);
/* Write n <= 8 bytes after all earlier writes of this thread; the write is complete on return. */
void mer_am_write_strict(mer_u64 bits, mer_u64 value, size_t n);
/* Have the owner of bits update the object there, as mer_remote_accumulate (abi.h) says; ordered and
 * completed like mer_am_write. */
void mer_am_accumulate(mer_u64 bits, mer_u64 value, unsigned how);
/* Send a pair of words to a handler that changes memory by them (mer_am_pair); ordered and completed like
 * mer_am_write.  Returns false if the thread is on this host; then nothing has been sent. */
bool mer_am_change(int to, enum mer_am_own number, mer_u64 first, mer_u64 second);
/* A one-way call: have thread `to' run the service with n <= MER_AM_MEDIUM bytes of `in'; its answer is
 * dropped.  Ordered and completed like mer_am_write. */
void mer_am_call_one_way(int to, mer_am_service *service, const void *in, size_t n);
/* Wait until all writes and one-way calls of this thread are complete.  Returns false if none were under
 * way. */
bool mer_am_settle(void);

/* ---- tree.c: collectives ------------------------------------------------------------------------------- */

void mer_tree_handlers(void);

/* Sets *into to the combination of *into, on the left, and *value. */
typedef void mer_combine(void *into, const void *value, const void *context);

/* Combine the values of all threads in the order of their numbers; the result replaces *value on thread 0,
 * and if `all` on every thread.  n <= MER_TREE_MOST bytes.  Collective. */
#define MER_TREE_MOST 4096
void mer_tree_reduce(void *value, size_t n, mer_combine *combine, const void *context, bool all);
/* Replace *value by the values of threads 0 ... MYTHREAD combined.  n <= MER_TREE_MOST bytes.  Collective. */
void mer_tree_scan(void *value, size_t n, mer_combine *combine, const void *context);
/* Copy the root's value to every thread.  Collective; any n. */
void mer_tree_broadcast(void *value, size_t n, int root);

/* ---- atomic.c: atomics --------------------------------------------------------------------------------- */

void mer_remote_handlers(void);

enum mer_remote_op { MER_REMOTE_ADD, MER_REMOTE_SWAP, MER_REMOTE_CAS, MER_REMOTE_OR };

/* Set the object of `size' bytes, 4 or 8, at bits to (old op value), for CAS only if old == compare.  Returns
 * old, sign-extended.  Atomic with respect to all other operations on objects of that owner. */
mer_i64 mer_remote_atomic(enum mer_remote_op op, int size, mer_u64 bits, mer_i64 value, mer_i64 compare);

/* Returns true if this POSIX thread runs a function for mer_remote_call.  Then it may handle no messages. */
bool mer_remote_call_runs(void);

/* Run function(local address of bits, words...) on the owner of bits, atomically as above, and return its
 * result.  nwords <= MER_REMOTE_WORDS.  If bit i of reals is set, word i holds the bits of a double or, in
 * its low half, of a float, and the function's parameter has that type; bit MER_REMOTE_WORDS says the same of
 * the result.  Integer and real parameters are in separate registers, each kind in its order, so a call with
 * all integers and then all reals serves any mixture. */
#define MER_REMOTE_WORDS 5
typedef mer_u64 mer_remote_function(void *, mer_u64, mer_u64, mer_u64, mer_u64, mer_u64, double, double,
                                    double, double, double);
mer_u64 mer_remote_call(mer_remote_function *function, mer_u64 bits, const mer_u64 *words, int nwords,
                        unsigned reals);

/* A queue in the memory of one thread.  mer_remote_enqueue appends one item, and returns false if the queue
 * is full; mer_remote_dequeue removes the first one, and returns false if there is none.  Both are atomic.
 * The queue says how many bytes an item has. */
struct mer_queue {
    mer_u64 items; /* bits of the buffer for items */
    mer_u64 first, count, capacity, size;
};
bool mer_remote_enqueue(mer_u64 queue, const void *item);
bool mer_remote_dequeue(mer_u64 queue, void *item);

#endif
