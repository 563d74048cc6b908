/* The progress thread on one host, with MERIDIAN_REFERENCE=1. */
#ifndef MER_AM_PROGRESS_H
#define MER_AM_PROGRESS_H

#include <stdbool.h>

/* Start the progress thread, with which the rings are shared from here on.  Start-up, once messages are
 * received. */
void mer_am_progress_start(void);
/* End the progress thread and wait for its end; if none runs, do nothing. */
void mer_am_progress_stop(void);

/* With a progress thread: handle the messages in the rings, for mer_am_poll; handle replies only, for a
 * thread that waits to reply; hold the lock under which memory handlers run, like mer_transport_guard.  The
 * first two return how many messages they handled, at least. */
int mer_am_progress_poll(void);
int mer_am_progress_drain_replies(void);
bool mer_am_progress_guard(void);
void mer_am_progress_unguard(bool guarded);

#endif
