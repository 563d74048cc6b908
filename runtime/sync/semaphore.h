/* Locks and semaphores by message, for jobs in which not all memory is local.
 *
 * The object lies in the memory of one thread, its owner, which changes it for the others by services (am.h).
 * If the job spans hosts, the other threads of the owner's host change it themselves, under the object's
 * guard.  A thread that cannot be served at once enters a queue, first come, first served, and waits for a
 * grant.  A handler cannot send a grant to another host.  So a thread that gives something back is told which
 * thread is next, and sends the grant itself.  Each thread waits for one object at a time, so the links of
 * the queues are a few words for each thread, in the control block.
 */
#ifndef MER_AM_SEMAPHORE_H
#define MER_AM_SEMAPHORE_H

#include "base/mutex.h"

#include <meridian/abi/abi.h>
#include <stddef.h>
#include <stdint.h>

#define MER_SEMAPHORE_ALIVE 0x6e7275742d6d6572ULL
#define MER_SEMAPHORE_FREED 0x6465657266657274ULL

enum mer_semaphore_kind {
    MER_SEMAPHORE_LOCK,    /* 1 or 0; the thread that has taken it gives it back */
    MER_SEMAPHORE_COUNT,   /* 0 ... MER_SEMAPHORE_MOST */
    MER_SEMAPHORE_BOOLEAN, /* 1 or 0; giving makes it 1 */
};
#define MER_SEMAPHORE_MOST 0x7fffffffU

struct mer_semaphore {
    uint32_t left, holder; /* holder: thread + 1 of a taken lock */
    uint32_t first, last;  /* threads + 1 that wait */
    uint64_t alive;
    uint32_t kind;
    struct mer_mutex guard; /* of all members except `alive' and `kind' */
};

enum mer_semaphore_result {
    MER_SEMAPHORE_DONE,
    MER_SEMAPHORE_NOT_NOW,  /* try: there is not enough */
    MER_SEMAPHORE_NONE,     /* the pointer leads to no such object */
    MER_SEMAPHORE_GONE,     /* the object has been freed */
    MER_SEMAPHORE_OWN,      /* take: the caller holds the lock */
    MER_SEMAPHORE_NOT_HELD, /* give: the lock is not locked */
    MER_SEMAPHORE_OTHERS,   /* give: another thread holds it, whose number is in *who */
    MER_SEMAPHORE_NEVER,    /* n is more than such an object holds */
    MER_SEMAPHORE_TOO_MANY  /* give: the object would hold more than MER_SEMAPHORE_MOST */
};

/* Allocate an object in the caller's shared memory, with `left' to take.  Returns null bits if there is no
 * memory. */
mer_ptr mer_semaphore_new(enum mer_semaphore_kind kind, uint32_t left, const char *name);
/* Take n, with or without waiting for them; give n.  who: may be null.  name: for the message about long
 * waits. */
enum mer_semaphore_result mer_semaphore_take(mer_ptr object, uint32_t n, const char *name);
enum mer_semaphore_result mer_semaphore_try(mer_ptr object, uint32_t n);
enum mer_semaphore_result mer_semaphore_give(mer_ptr object, uint32_t n, int *who);
/* Mark the object as freed, and free its memory. */
enum mer_semaphore_result mer_semaphore_delete(mer_ptr object, const char *name);

void mer_semaphore_handlers(void);
/* Start-up: record that this thread has got no grant yet (base/wrap.h). */
void mer_semaphore_open(void);

#endif
