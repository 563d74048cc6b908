/* The collectives of jobs that span hosts: within a host by memory, between hosts by the allgather in a
 * barrier (sync/barrier.h), or by copies from host to host. */
#ifndef MER_COLL_HOSTS_H
#define MER_COLL_HOSTS_H

#include "coll/coll.h"

void mer_coll_move_hosts(const struct mer_move *move);
void mer_coll_reduce_hosts(const struct mer_reduction *r);
void mer_coll_prefix_hosts(const struct mer_reduction *r);

#endif
