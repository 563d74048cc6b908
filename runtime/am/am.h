/* Active messages for the runtime's own use: handlers with fixed numbers behind the users', and the accessors
 * that are written over them (access.c, atomic.c, tree.c), as in libsplit-c's figures 6-7 and 6-8. */
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
    MER_AM_ATOMICS, /* pairs: of a dialect's atomics, which registers them */
    MER_AM_COUNTS,  /* single words: likewise, of those without an operand */
    MER_AM_PIECES_PUT_LONG,
    MER_AM_WRITE_POST, /* write.c */
    MER_AM_NUMBERS
};
static_assert((int)MER_AM_WRITES == MER_PAIR_WRITES && (int)MER_AM_ACCUMULATES == MER_PAIR_ACCUMULATES &&
                  (int)MER_AM_GETS == MER_PAIR_GETS && (int)MER_AM_ATOMICS == MER_PAIR_ATOMICS &&
                  (int)MER_AM_COUNTS == MER_PAIR_COUNTS,
              "compiled code has these numbers (meridian/rows.h)");
static_assert(MER_AM_NUMBERS <= MER_HANDLER_NUMBERS, "the table of handlers holds them");

/* kind: of enum mer_handler_kind; messages within the host do not look at it. */
void mer_am_set_handler(enum mer_am_own number, mer_am_handler *handler, unsigned kind);
/* Where its long payloads land (transport/handlers.h). */
void mer_am_set_places(enum mer_am_own number, mer_handler_places *places);

/* Medium messages to threads of other hosts, as mer_am_request_medium and mer_am_reply_medium, with a payload
 * of `length' bytes that lies in nparts <= MER_AM_PARTS parts; they may be reused on return. */
void mer_am_request_parts(int to, int handler, const struct iovec *parts, int nparts, size_t length,
                          const mer_u64 *args, int nargs);
void mer_am_reply_parts(struct mer_am_message *request, int handler, const struct iovec *parts, int nparts,
                        size_t length, const mer_u64 *args, int nargs);

/* To another host: one of the pairs of words that a request holds, see mer_transport_send_pair.  False: the
 * thread is on this host, and nothing has been sent. */
bool mer_am_pair(int to, enum mer_am_own number, mer_u64 first, mer_u64 second, int *counter);
/* A pair's address, of memory here or there, with a number below 2^16 in the bits above it, as compiled code
 * makes it too (meridian/rows.h). */
static inline mer_u64 mer_am_tagged(mer_u64 address, mer_u64 tag) { return mer_row_tagged(address, tag); }
static inline mer_u64 mer_am_tag(mer_u64 tagged) { return tagged >> MER_THREAD_SHIFT; }

/* What handlers copy.  Words are the most usual: they are written by one store, as another thread of the host
 * would write them, and a copy of a length that the C compiler knows needs no call. */
static inline void mer_am_copy(void *to, const void *from, size_t n) {
    if (n == sizeof(mer_u64))
        memcpy(to, from, sizeof(mer_u64));
    else if (n == sizeof(uint32_t))
        memcpy(to, from, sizeof(uint32_t));
    else if (to != from) /* the conduit may have put it there */
        memcpy(to, from, n);
}

/* Start-up, before any thread of this host sends: the memory by which others send to this thread. */
void mer_am_open(void);
/* Take messages from here on, in polls and in all waits; idempotent. */
void mer_am_start(void);
/* Start-up, once it is known whether there are more threads than cores: choose who of a sender and a sleeping
 * receiver executes the fence (transport/receive_ring.h).  Until then the sender does. */
void mer_am_settle_fence(void);

/* ---- am.c: this process's end of the transport --------------------------------------------------------- */

/* Compiled code may add pairs to its rows (meridian/rows.h) from here on, unless calls are recorded. */
void mer_am_open_rows(void);
/* Open it, give the others its address by exchange (boot/boot.h), and start the progress thread.  Start-up,
 * where there are several hosts. */
void mer_am_transport_start(void (*exchange)(const void *mine, size_t n, void *all));
/* As mer_transport_close and mer_transport_linger; nothing on one host. */
void mer_am_transport_stop(void);
void mer_am_transport_linger(void);

/* ---- reference.c: the progress thread on one host with MERIDIAN_REFERENCE=1 --------------------------- */

/* From here on the rings are shared with a progress thread.  Start-up, once messages are taken. */
void mer_reference_start(void);
/* It has ended on return; nothing, if it does not run. */
void mer_reference_stop(void);

/* With a progress thread: mer_am_poll; the part of it that takes replies, for who waits to reply; and to hold
 * the lock that memory handlers run under, as mer_transport_guard. */
int mer_reference_poll(void);
int mer_reference_drain_replies(void);
bool mer_reference_guard(void);
void mer_reference_unguard(bool guarded);

/* ---- access.c: memory by message ----------------------------------------------------------------------- */

void mer_global_handlers(void);

/* May this process access the memory by loads and stores?  Local memory, and, to read, what all processes
 * have alike. */
bool mer_am_direct(mer_u64 bits, bool write);
/* A fatal message if bits is null or names no thread.  what: "a read". */
void mer_am_check(mer_u64 bits, const char *what);

/* Begin to set n bytes to c; *counter likewise. */
void mer_am_fill(mer_u64 bits, int c, size_t n, int *counter);
/* Begin to fetch or to write n bytes; *counter is raised by the number of messages and lowered as they are
 * answered.  to: a local address that stays valid until then; from: may be reused at once. */
/* From here on the conduit's get and put are tried, which copy nothing. */
#define MER_AM_BULK ((size_t)mer_setting(BULK))
/* Whether a get or a put of so many bytes goes by those of the conduit. */
bool mer_am_by_rma(mer_u64 bits, bool put, size_t n);
void mer_am_get(void *to, mer_u64 bits, size_t n, int *counter);
void mer_am_put(mer_u64 bits, const void *from, size_t n, int *counter);
/* What has been begun to fetch leaves now. */
void mer_am_get_send(void);

/* Store n bytes; where they have arrived, the counter at the same local address there is raised by n:
 * *received (null: mer_am.stored, in the sender's epoch). */
void mer_am_store(mer_u64 bits, const void *from, size_t n, mer_i64 *received);

/* For all_store_sync: bytes of all mer_am_store calls of this thread, less those that have come to it. */
mer_i64 mer_am_in_flight(void);

void mer_am_wait_counter(const int *counter);

/* ---- call.c: two-way calls, a function that runs on another thread ------------------------------------- */

void mer_call_handlers(void);

/* Runs on the thread called, in a handler: it may neither send nor wait.  in: what the caller gave; out: a
 * buffer for the answer, whose length it returns, at most MER_AM_RESULT_MOST; both aligned to 8. */
typedef size_t mer_am_service(int caller, const void *in, void *out);
#define MER_AM_RESULT_MOST 56
/* Run a service now, while no other one runs in this process; the length of its answer. */
size_t mer_am_serve(mer_am_service *service, int caller, const void *in, void *out);
/* Have thread `to' run the service with n <= MER_AM_MEDIUM bytes of `in', and wait for its answer, of which m
 * bytes go to `out'.  On the own thread it is called directly. */
void mer_am_call(int to, mer_am_service *service, const void *in, size_t n, void *out, size_t m);
/* Begin the same call.  ++*waiting, and --*waiting when its answer is at `out'; *waiting may change
 * meanwhile, as that of a get.  If there is no memory for it, or on the own thread, it is done at once. */
void mer_am_call_start(int to, mer_am_service *service, const void *in, size_t n, void *out, size_t m,
                       int *waiting);

/* Have it run on thread t's host: here, by this thread, if t is here, so that the service may touch the
 * memory of any thread of its host, under the locks of that memory. */
void mer_am_call_host(int t, mer_am_service *service, const void *in, size_t n, void *out, size_t m);

/* ---- function.c: messages that name the function that runs --------------------------------------------- */

void mer_function_handlers(void);

#define MER_AM_FUNCTION_WORDS (MER_AM_ARGS - 1)
/* Run the function on thread `to', with these words; nwords <= MER_AM_FUNCTION_WORDS.
 * _reply: from such a function, which a request has called, to the thread that sent the request. */
void mer_am_function(int to, mer_rva_code *function, const mer_u64 *words, int nwords);
void mer_am_function_reply(int to, mer_rva_code *function, const mer_u64 *words, int nwords);

/* ---- write.c: writes and one-way calls that are complete at a fence ------------------------------------ */

void mer_write_handlers(void);

/* Write n bytes, which may be reused at once; a later message of this thread's to that owner finds it done.
 */
void mer_am_write(mer_u64 bits, const void *from, size_t n);
/* The same of n > 0 bytes, and then post a number of an event (base/wait.h) in that thread's memory: who
 * waits for it finds the bytes written. */
void mer_am_write_post(mer_u64 bits, const void *from, size_t n, mer_u64 event, uint32_t number);
/* As mer_am_write, of n <= 8 bytes behind all that this thread has written; it is complete on return. */
void mer_am_write_strict(mer_u64 bits, mer_u64 value, size_t n);
/* Have the owner of bits change the object there, as mer_remote_accumulate (abi.h) says, likewise. */
void mer_am_accumulate(mer_u64 bits, mer_u64 value, unsigned how);
/* A pair of words for a handler that changes memory by them (mer_am_pair), likewise.  False: the thread is on
 * this host, and nothing has been sent. */
bool mer_am_change(int to, enum mer_am_own number, mer_u64 first, mer_u64 second);
/* A one-way call: have thread `to' run the service with n <= MER_AM_MEDIUM bytes of `in', likewise; its
 * answer is dropped. */
void mer_am_call_one_way(int to, mer_am_service *service, const void *in, size_t n);
/* All writes and one-way calls of this thread are complete.  False: there were none under way. */
bool mer_am_settle(void);

/* ---- tree.c: collectives ------------------------------------------------------------------------------- */

void mer_tree_handlers(void);

/* *into becomes combine(*into, *value): `into` stands to the left. */
typedef void mer_combine(void *into, const void *value, const void *context);

/* The value of all threads combined in the order of their numbers, on thread 0, and if `all` on every one.
 * n <= MER_TREE_MOST bytes.  Collective. */
#define MER_TREE_MOST 4096
void mer_tree_reduce(void *value, size_t n, mer_combine *combine, const void *context, bool all);
/* The value of threads 0 ... MYTHREAD combined.  Collective. */
void mer_tree_scan(void *value, size_t n, mer_combine *combine, const void *context);
/* The root's value on every thread.  Collective; any n. */
void mer_tree_broadcast(void *value, size_t n, int root);

/* ---- atomic.c: atomics --------------------------------------------------------------------------------- */

void mer_remote_handlers(void);

enum mer_remote_op { MER_REMOTE_ADD, MER_REMOTE_SWAP, MER_REMOTE_CAS, MER_REMOTE_OR };

/* The object of 4 or 8 bytes at bits becomes (old op value), for CAS only if old == compare; gives old,
 * sign-extended.  Indivisible with all other operations on objects of that owner. */
mer_i64 mer_remote_atomic(enum mer_remote_op op, int size, mer_u64 bits, mer_i64 value, mer_i64 compare);

/* Does this POSIX thread run a function for mer_remote_call?  Then it may handle no messages. */
bool mer_remote_call_runs(void);

/* Run function(local address of bits, words...) on the owner of bits, indivisibly likewise; gives its result.
 * nwords <= MER_REMOTE_WORDS.  Bit i of reals: word i holds the bits of a double or, in its low half, of a
 * float, and the function has it as a parameter of that type.  Parameters of the two kinds are in registers
 * of their own, in their order: a call with all integers and then all reals serves any mixture.  The bit
 * MER_REMOTE_WORDS: so does the result. */
#define MER_REMOTE_WORDS 5
typedef mer_u64 mer_remote_function(void *, mer_u64, mer_u64, mer_u64, mer_u64, mer_u64, double, double,
                                    double, double, double);
mer_u64 mer_remote_call(mer_remote_function *function, mer_u64 bits, const mer_u64 *words, int nwords,
                        unsigned reals);

/* A queue in the memory of one thread: append one item, or take the first one; indivisible.  False: full, or
 * empty.  The item's size is the queue's. */
struct mer_queue {
    mer_u64 items; /* bits of the buffer for items */
    mer_u64 first, count, capacity, size;
};
bool mer_remote_enqueue(mer_u64 queue, const void *item);
bool mer_remote_dequeue(mer_u64 queue, void *item);

#endif
