/* UPC's lock objects (UPC 7.2.4). */
#ifndef MER_SYNC_LOCK_H
#define MER_SYNC_LOCK_H

#include <meridian/abi/abi.h>
#include <stdbool.h>

/* name: the library call as the user wrote it, for messages.  Pointers are in the form of upc_lock_t *.
 * Null, freed or foreign pointers, a lock taken twice by one thread and an unlock of a lock that the thread
 * does not hold end the job with a message. */
mer_ptr mer_lock_new(const char *name); /* in the caller's shared memory; null if there is none left */
void mer_lock_delete(mer_ptr lock, const char *name); /* locked or not; null has no effect */
void mer_lock_take(mer_ptr lock, const char *name);
bool mer_lock_attempt(mer_ptr lock, const char *name);
void mer_lock_release(mer_ptr lock, const char *name);

/* The fatal messages, for callers that detect the fault in another way. */
enum mer_lock_fault {
    MER_LOCK_NULL,
    MER_LOCK_NONE,
    MER_LOCK_GONE,
    MER_LOCK_OWN,
    MER_LOCK_FREE,
    MER_LOCK_OTHERS
};
_Noreturn void mer_lock_refuse(mer_ptr lock, enum mer_lock_fault fault, int holder, const char *name);

#endif
