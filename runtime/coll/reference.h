/* The collectives of jobs on one host in which memory is accessed by message (MERIDIAN_REFERENCE=1): by
 * copies and the tree of active messages instead of shared lines.  They wait for all threads on the way in
 * and on the way out, which is more than most calls require. */
#ifndef MER_COLL_REFERENCE_H
#define MER_COLL_REFERENCE_H

#include "coll/coll.h"
#include "host/job.h"

static inline bool mer_coll_by_message(void) { return mer_by_message() && mer_job.threads > 1; }

void mer_coll_move_reference(const struct mer_move *move);
void mer_coll_reduce_reference(const struct mer_reduction *r);
void mer_coll_prefix_reference(const struct mer_reduction *r);

#endif
