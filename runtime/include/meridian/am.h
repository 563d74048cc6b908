/* Active messages: a message names the function that runs when it arrives.
 *
 * A thread sends a request to another.  The next time the receiver polls or waits in the runtime, it runs the
 * request's handler, which may send one reply; the sender runs the reply's handler in the same way.  Messages
 * have three sizes:
 *
 *   short    up to MER_AM_ARGS words
 *   medium   the same, and up to MER_AM_MEDIUM bytes, which the handler finds in a buffer
 *   long     the same, and any number of bytes, which are at an address of the receiver's when it runs
 *
 * Rules.  Handlers run only inside of mer_am_poll and of waits: mer_am_wait_turn, barriers, locks,
 * collectives, and requests that wait for space.  They run one at a time, and may not send requests or wait
 * for anything; a request's handler may reply once, a reply's handler not at all.  Messages from one thread
 * to another of one kind (requests; replies) arrive in the order in which they were sent.
 *
 * Memory is bounded: each thread receives into two rings, one for requests and one for replies, whose pages
 * are committed when they are first written.  A request waits for space in the receiver's ring, and handles
 * messages meanwhile; a reply waits only for reply handlers, which wait for nothing, so that it never waits
 * for another request.  Hence there is no cycle of waits.
 *
 * Only the process's first POSIX thread may call these functions.
 */
#ifndef MERIDIAN_AM_H
#define MERIDIAN_AM_H

#include <meridian/abi/abi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MER_AM_ARGS 8
#define MER_AM_MEDIUM 4160 /* 4 KB and a header of the user's */
#define MER_AM_HANDLERS 256

/* A message as its handler gets it; valid until the handler returns. */
struct mer_am_message {
    int source; /* the thread that sent it */
    int nargs;  /* words in args; the rest of args is undefined */
    const mer_u64 *args;
    void *payload; /* medium: the buffer, aligned to 64; long: the destination; short: null */
    size_t length; /* bytes of payload */
    int request;   /* 1: a request, which may be replied to once */
    int replied;
};
typedef void mer_am_handler(struct mer_am_message *message);

/* Gives a handler the next free number from 0 on, and returns it; all threads register the same handlers in
 * the same order.  Messages carry the number, so that the handlers may lie at different addresses; start-up
 * has checked that all hosts run one build of the program.  A number that is not registered ends the job.
 * All threads have to register a handler before any sends to it: separate the two by a barrier. */
int mer_am_register(mer_am_handler *handler);
/* Registers a handler under a number of the caller's choice, 0 <= number < MER_AM_HANDLERS, not used yet. */
void mer_am_register_as(int number, mer_am_handler *handler);

/* Send a request to thread `to`, which may be the caller.  args: nargs <= MER_AM_ARGS words.  The payload has
 * been copied when the call returns. */
void mer_am_request(int to, int handler, const mer_u64 *args, int nargs);
void mer_am_request_medium(int to, int handler, const void *payload, size_t length, const mer_u64 *args,
                           int nargs);
/* The payload lands at `destination`, memory of the thread to which the request goes. */
void mer_am_request_long(mer_ptr destination, int handler, const void *payload, size_t length,
                         const mer_u64 *args, int nargs);

/* Reply to a request, from its handler, once.  `destination` of a long reply is the requester's memory. */
void mer_am_reply(struct mer_am_message *request, int handler, const mer_u64 *args, int nargs);
void mer_am_reply_medium(struct mer_am_message *request, int handler, const void *payload, size_t length,
                         const mer_u64 *args, int nargs);
void mer_am_reply_long(struct mer_am_message *request, mer_ptr destination, int handler, const void *payload,
                       size_t length, const mer_u64 *args, int nargs);

/* The words as a list: MER_AM_REQUEST(to, handler, a, b). */
#define MER_AM_WORDS_(...)                                                                                   \
    (const mer_u64[]){__VA_ARGS__}, (int)(sizeof((mer_u64[]){__VA_ARGS__}) / sizeof(mer_u64))
#define MER_AM_REQUEST(to, handler, ...) mer_am_request(to, handler, MER_AM_WORDS_(__VA_ARGS__))
#define MER_AM_REPLY(request, handler, ...) mer_am_reply(request, handler, MER_AM_WORDS_(__VA_ARGS__))

/* Runs the handlers of the messages that have arrived, and returns their number.  Does not wait.  In a
 * handler it does nothing. */
int mer_am_poll(void);

/* Waits until a handler has made `condition` true, handling messages: spins, yields, sleeps.  The condition
 * may depend only on handlers of this thread. */
#define MER_AM_WAIT_UNTIL(condition)                                                                         \
    for (struct mer_am_wait mer_w_ = {{0}, 0, 0}; !(condition); mer_am_wait_turn(&mer_w_))                   \
        ;
struct mer_am_wait {
    long state[4];
    int looks, begun;
};
void mer_am_wait_turn(struct mer_am_wait *wait);

#ifdef __cplusplus
}
#endif

#endif
