/* The completion of writes of remote memory: the threads that this one has written to, and the wait for them.
 *
 * A write is a message that is not acknowledged by itself.  Requests to one thread are handled in the order
 * in which they were sent, so one confirmation says that all before it are done. */
#ifndef MER_RMA_FENCE_H
#define MER_RMA_FENCE_H

#include "am/state.h"

#include <stdbool.h>

void mer_fence_handlers(void);

/* The writes of this thread for which the next fence waits. */
struct mer_writes {
    int counter;           /* puts and fills under way that are writes too: nobody waits for one alone */
    int *threads;          /* that were written to since the last fence */
    int count;             /* of `threads' */
    unsigned char *listed; /* by thread: true if `threads' contains it */
};
extern struct mer_writes mer_writes;

/* Records that a change of thread `to's memory has been requested: the next fence has to ask that thread.  In
 * other POSIX threads of the program, waits for the change. */
void mer_rma_changed_slow(int to);
static inline void mer_rma_changed(int to) {
    if (__builtin_expect(!mer_am_first_thread || !mer_writes.listed || !mer_writes.listed[to], 0))
        mer_rma_changed_slow(to);
}

/* Wait until all writes and one-way calls of this thread are complete.  Returns false if none were under
 * way. */
bool mer_rma_complete(void);

#endif
