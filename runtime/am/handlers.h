/* Handlers of the runtime's own messages: their numbers, after those of users, and their registration.  A
 * layer above registers the handlers of its messages at start-up (start/start.c). */
#ifndef MER_AM_HANDLERS_H
#define MER_AM_HANDLERS_H

#include "transport/handlers.h"

#include <meridian/am.h>
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Numbers of the runtime's handlers, with the files that register them. */
enum mer_am_number {
    /* A part of a long payload, for memory that is remote to the sender: am.c. */
    MER_AM_LAND = MER_AM_HANDLERS,
    MER_AM_GET, /* rma/get_put.c */
    MER_AM_GOT,
    MER_AM_PUT,
    MER_AM_ACK,
    MER_AM_STORE,
    MER_AM_ATOMIC, /* rma/atomic.c */
    MER_AM_ATOMIC_CALL,
    MER_AM_ENQUEUE,
    MER_AM_RESULT,
    MER_AM_TREE, /* coll/tree.c */
    MER_AM_CALL, /* call.c */
    MER_AM_CALLED,
    MER_AM_FILL,  /* rma/get_put.c */
    MER_AM_WRITE, /* rma/write.c */
    MER_AM_CALL_ONE_WAY,
    MER_AM_CONFIRM, /* rma/fence.c */
    MER_AM_GRANT,   /* sync/semaphore.c */
    MER_AM_ENTRIES, /* sync/announce.c */
    MER_AM_BLOCK,
    MER_AM_PIECES_GET, /* rma/pieces.c */
    MER_AM_PIECES_GOT,
    MER_AM_PIECES_PUT,
    MER_AM_ACCUMULATE, /* rma/write.c */
    MER_AM_FUNCTION,   /* function.c */
    /* Pairs of words (mer_am_pair). */
    MER_AM_WRITES, /* rma/write.c */
    MER_AM_ACCUMULATES,
    MER_AM_GETS, /* rma/get_put.c */
    MER_AM_GOTS,
    MER_AM_ATOMICS,         /* dialect/upc/atomic.c */
    MER_AM_COUNTS,          /* likewise; single words: atomics without an operand */
    MER_AM_PIECES_PUT_LONG, /* rma/pieces.c */
    MER_AM_WRITE_POST,      /* rma/write.c */
    MER_AM_NUMBERS
};
static_assert((int)MER_AM_WRITES == MER_PAIR_WRITES && (int)MER_AM_ACCUMULATES == MER_PAIR_ACCUMULATES &&
                  (int)MER_AM_GETS == MER_PAIR_GETS && (int)MER_AM_ATOMICS == MER_PAIR_ATOMICS &&
                  (int)MER_AM_COUNTS == MER_PAIR_COUNTS,
              "compiled code has these numbers (meridian/abi/rows.h)");
static_assert(MER_AM_NUMBERS <= MER_HANDLER_NUMBERS, "the table of handlers holds them");

/* Register a handler of the runtime.  kind: of enum mer_handler_kind, for the transport and for progress
 * threads. */
void mer_am_set_handler(enum mer_am_number number, mer_am_handler *handler, unsigned kind);
/* Register the function that says where long payloads of a handler land (transport/handlers.h). */
void mer_am_set_places(enum mer_am_number number, mer_handler_places *places);

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

#endif
