/* Waiting for one's turn by message: what locks and semaphores do in jobs in which not all memory is in
 * reach.
 *
 * The object lies in the memory of one thread, which changes it at the request of the others (am.h's
 * services) and its own; where the job spans hosts, the other threads of its host do so themselves, under the
 * object's guard.  Who cannot be served at once is entered in a queue, first come, first served, and waits
 * for a grant. A handler cannot send one to another host, so who gives something back is told whose turn it
 * is, and sends the grant itself.  Each thread waits for one object at a time: the queues' links are a few
 * words a thread, in the control block.
 */
#ifndef MER_AM_SEMAPHORE_H
#define MER_AM_SEMAPHORE_H

#include "base/mutex.h"

#include <meridian/abi.h>
#include <stddef.h>
#include <stdint.h>

#define MER_TURN_ALIVE 0x6e7275742d6d6572ULL
#define MER_TURN_FREED 0x6465657266657274ULL

enum mer_turn_kind {
    MER_TURN_LOCK,    /* 1 or 0; who has taken it gives it back */
    MER_TURN_COUNT,   /* 0 ... MER_TURN_MOST */
    MER_TURN_BOOLEAN, /* 1 or 0; giving makes it 1 */
};
#define MER_TURN_MOST 0x7fffffffU

struct mer_turn {
    uint32_t left, holder; /* holder: thread + 1 of a taken lock */
    uint32_t first, last;  /* threads + 1 that wait */
    uint64_t alive;
    uint32_t kind;
    struct mer_mutex guard; /* of all of it but `alive' and `kind' */
};

enum mer_turn_result {
    MER_TURN_DONE,
    MER_TURN_NOT_NOW,  /* try: there is not so much */
    MER_TURN_NONE,     /* the pointer leads to no such object */
    MER_TURN_GONE,     /* it has been freed */
    MER_TURN_OWN,      /* take: the caller holds the lock */
    MER_TURN_NOT_HELD, /* give: the lock is not locked */
    MER_TURN_OTHERS,   /* give: another thread holds it, whose number is in *who */
    MER_TURN_NEVER,    /* n is more than such an object holds */
    MER_TURN_TOO_MANY  /* give: it would hold more than MER_TURN_MOST */
};

/* In the caller's shared memory, with `left' to take; null bits if there is none. */
mer_ptr mer_turn_new(enum mer_turn_kind kind, uint32_t left, const char *name);
/* Take n, waiting for them or not; give n.  who: may be null.  name: for the message about long waits. */
enum mer_turn_result mer_turn_take(mer_ptr object, uint32_t n, const char *name);
enum mer_turn_result mer_turn_try(mer_ptr object, uint32_t n);
enum mer_turn_result mer_turn_give(mer_ptr object, uint32_t n, int *who);
/* Mark it as freed, and give the memory back. */
enum mer_turn_result mer_turn_delete(mer_ptr object, const char *name);

void mer_turn_handlers(void);

#endif
