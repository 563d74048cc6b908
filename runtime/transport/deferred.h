/* What came over the wire for the thread itself, not for whoever reads the packet: users' requests, all
 * replies that are not memory handlers', and the news that a put or a get of the conduit's is complete.
 *
 * They are run by the thread in its polls and waits, in the order in which they came.  If the progress thread
 * reads one, or the thread does inside of a handler, it is kept.
 */
#ifndef MER_TRANSPORT_DEFERRED_H
#define MER_TRANSPORT_DEFERRED_H

#include "am/am.h"

/* The calling POSIX thread is the thread. */
void mer_own_start(void);

/* May the caller run what is the thread's own now, in order?  Under the wire's lock, as the next four. */
bool mer_own_turn(void);
void mer_own_run(struct mer_am_message *m, int handler);
/* Leave a message to the thread; medium: its payload lies in the packet, and is copied.  cost: what
 * mer_own_run_kept is to give back. */
void mer_own_keep(const struct mer_am_message *m, bool medium, int handler, uint32_t cost);
/* An operation of the conduit's is complete: lower its counter, or leave that to the thread.  1: done now. */
int mer_own_done(int *counter);
/* Wake the thread if it sleeps: something was handled for it. */
void mer_own_wake(void);

/* Run what was kept; how many.  handled: told of each message.  The thread only, without the lock. */
int mer_own_run_kept(void (*handled)(int source, uint32_t cost));

/* Has this thread begun to change what other hosts have, or learnt that such a change is complete, since it
 * last asked?  All messages count but those that only read and the barrier's own.  The thread only. */
bool mer_own_wrote(void);
/* It sends a request for this handler. */
void mer_own_writes(int handler);

#endif
