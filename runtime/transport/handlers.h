/* The handlers of active messages of a thread, by their numbers, and the properties that the transport has to
 * know of each.
 */
#ifndef MER_TRANSPORT_HANDLERS_H
#define MER_TRANSPORT_HANDLERS_H

#include <meridian/am.h>
#include <stdbool.h>
#include <sys/uio.h>

#define MER_HANDLER_NUMBERS (MER_AM_HANDLERS + 33) /* the program's, then the runtime's own (am/am.h) */

enum mer_handler_kind {
    /* Touches memory and nothing else of this thread, as another thread of the host could, and may reply.
     * The progress thread may run it for messages from other hosts, in no order with other handlers. */
    MER_HANDLER_MEMORY = 1,
    /* Changes no memory of other hosts: a read, or the barrier's own. */
    MER_HANDLER_READS = 2,
    /* Replies with as many bytes as the fourth word of the request says. */
    MER_HANDLER_LENGTH_WORD = 4,
    /* Takes single words in place of pairs (pairs.h). */
    MER_HANDLER_WORDS = 8
};

/* Tells where the bytes of a long payload belong, of which the first `have' have come.  Returns the number of
 * parts, MER_AM_PARTS at most, or 0 if there is no such place or it is not known yet.  The first *kept <=
 * have bytes of the payload, a multiple of 8, stay with the message: its handler then has these alone as its
 * payload.  Called under the end's lock, by the POSIX thread that reads the packet. */
typedef int mer_handler_places(const mer_u64 *args, const void *payload, size_t have, size_t length,
                               size_t *kept, struct iovec *parts);

struct mer_handler {
    mer_am_handler *run;
    unsigned kind;              /* of enum mer_handler_kind */
    mer_handler_places *places; /* if null, the first word is the destination of a whole long payload */
};

struct mer_handlers {
    struct mer_handler at[MER_HANDLER_NUMBERS];
    bool running; /* a handler that only the thread may run is running */
};

_Noreturn void mer_handlers_missing(int source, int number);
/* Ends the job: a message from a thread, or its packet, is not one that this runtime sends.  `what' is
 * the reason. */
_Noreturn void mer_message_garbled(int source, const char *what);

static inline unsigned mer_handler_kind(const struct mer_handlers *handlers, int number) {
    return number < MER_HANDLER_NUMBERS ? handlers->at[number].kind : 0;
}

static inline mer_handler_places *mer_handler_places_of(const struct mer_handlers *handlers, int number) {
    return number < MER_HANDLER_NUMBERS ? handlers->at[number].places : NULL;
}

static inline __attribute__((always_inline)) mer_am_handler *
mer_handler_of(const struct mer_handlers *handlers, const struct mer_am_message *message, int number) {
    mer_am_handler *handler = number < MER_HANDLER_NUMBERS ? handlers->at[number].run : NULL;
    if (!handler)
        mer_handlers_missing(message->source, number);
    return handler;
}

/* Run a handler that only the thread may run, from polls and waits.  A memory handler may be called from
 * anywhere, by mer_handler_of. */
static inline __attribute__((always_inline)) void
mer_handlers_run(struct mer_handlers *handlers, struct mer_am_message *message, int number) {
    mer_am_handler *handler = mer_handler_of(handlers, message, number);
    bool outer = handlers->running;
    handlers->running = true;
    handler(message);
    handlers->running = outer;
}

#endif
