/* Common parts of the collectives by message on one host (reference.h) and among several (hosts.h): they
 * begin a thread's share of the copies, and walk elements that may lie on any thread. */
#ifndef MER_COLL_MESSAGE_H
#define MER_COLL_MESSAGE_H

#include "coll/coll.h"
#include "coll/partial.h"

/* Begin the copies of this thread's share, all under way at a time; blocks of other threads in an order in
 * which not all threads read from one at a time.  *counter is 0 again when they are done (rma/copy.h).  Not
 * for a broadcast. */
void mer_message_share(const struct mer_move *m, int *counter);

/* p op= elements first ... end - 1 of r->src; stores: each element of r->dst becomes the value of p after the
 * element. */
void mer_message_walk(struct mer_partial *p, const struct mer_reduction *r, size_t first, size_t end,
                      bool stores);

/* p op= this thread's part of the elements: its own if the operation commutes, else an equal part. */
void mer_message_part(struct mer_partial *p, const struct mer_reduction *r);

#endif
