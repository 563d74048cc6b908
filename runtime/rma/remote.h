/* The accesses that compiled code has under way (abi.h, mer_remote_...), for the runtime's own layers. */
#ifndef MER_RMA_REMOTE_H
#define MER_RMA_REMOTE_H

#include <stdbool.h>

/* Completes all earlier writes of this thread, as mer_remote_fence does, which also takes messages.  Returns
 * false if none were under way. */
bool mer_rma_fence(void);

#endif
