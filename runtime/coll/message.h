/* What the collectives do by message alike, on one host (reference.h) and among several (hosts.h): begin a
 * thread's share of the copies, and go through elements that may lie on any thread. */
#ifndef MER_COLL_MESSAGE_H
#define MER_COLL_MESSAGE_H

#include "coll/coll.h"
#include "coll/partial.h"

/* Begin the copies that are this thread's share, all under way at a time, those of other threads' blocks in
 * an order in which not all read from one thread at a time; *counter is 0 again when they are done
 * (rma/copy.h).  Not for a broadcast. */
void mer_message_share(const struct mer_move *m, int *counter);

/* p op= elements first ... end - 1 of r->src; stores: each of r->dst becomes what p is then. */
void mer_message_walk(struct mer_partial *p, const struct mer_reduction *r, size_t first, size_t end,
                      bool stores);

/* p op= this thread's part of the elements: its own where the operation commutes, else an equal part. */
void mer_message_part(struct mer_partial *p, const struct mer_reduction *r);

#endif
