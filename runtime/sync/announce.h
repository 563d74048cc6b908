/* The barrier between hosts: how the announcements of one host's threads come to the others (sync/phase.h),
 * and with them the threads' contributions to an allgather (sync/allgather.h). */
#ifndef MER_SYNC_ANNOUNCE_H
#define MER_SYNC_ANNOUNCE_H

#include "sync/phase.h"

/* Start-up, once the hosts are known and before messages can arrive. */
void mer_announce_open(void);

/* Send the entries of this host's threads, and their blocks, to all other hosts. */
void mer_announce_phase(const struct mer_phase *p);

#endif
