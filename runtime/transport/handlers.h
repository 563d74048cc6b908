/* The handlers of active messages of a thread, by their numbers, and what the transport has to know of each.
 */
#ifndef MER_TRANSPORT_HANDLERS_H
#define MER_TRANSPORT_HANDLERS_H

#include <meridian/am.h>
#include <stdbool.h>
#include <sys/uio.h>

#define MER_HANDLER_NUMBERS (MER_AM_HANDLERS + 33) /* the program's, then the runtime's own (am/am.h) */

enum mer_handler_kind {
    /* It touches memory and nothing else of this thread's, as another thread of the host could, and may
     * reply: what comes from another host is then also run by the progress thread, in no order with other
     * handlers'. */
    MER_HANDLER_MEMORY = 1,
    /* It changes nothing that other hosts have: a read, or the barrier's own. */
    MER_HANDLER_READS = 2,
    /* It is asked for a reply of as many bytes as the fourth word of the request says. */
    MER_HANDLER_LENGTH_WORD = 4,
    /* What it takes as pairs (pairs.h) are single words. */
    MER_HANDLER_WORDS = 8
};

/* Where the bytes of a long payload belong, of which the first `have' have come: the number of parts,
 * MER_AM_PARTS at most; 0: nowhere, or not known yet.  The first *kept <= have bytes of the payload, a
 * multiple of 8, stay with the message: its handler then has these alone as its payload.  Under the end's
 * lock, by whoever reads the packet. */
typedef int mer_handler_places(const mer_u64 *args, const void *payload, size_t have, size_t length,
                               size_t *kept, struct iovec *parts);

struct mer_handler {
    mer_am_handler *run;
    unsigned kind;              /* of enum mer_handler_kind */
    mer_handler_places *places; /* null: the whole of a long payload belongs where the first word says */
};

struct mer_handlers {
    struct mer_handler at[MER_HANDLER_NUMBERS];
    bool running; /* a handler runs that is the thread's own */
};

_Noreturn void mer_handlers_missing(int source, int number);
/* A message from a thread, or its packet, is none that this runtime sends: why. */
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

/* Run a handler of the thread's: from polls and waits.  A memory handler may be called from anywhere, by
 * mer_handler_of. */
static inline __attribute__((always_inline)) void
mer_handlers_run(struct mer_handlers *handlers, struct mer_am_message *message, int number) {
    mer_am_handler *handler = mer_handler_of(handlers, message, number);
    bool outer = handlers->running;
    handlers->running = true;
    handler(message);
    handlers->running = outer;
}

#endif
