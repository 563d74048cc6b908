/* For the runtime's own layers: what compiled code has under way (abi.h, mer_remote_...). */
#ifndef MER_RMA_REMOTE_H
#define MER_RMA_REMOTE_H

#include <stdbool.h>

/* All earlier writes of this thread are complete, as after mer_remote_fence, which also takes messages.
 * False: there were none under way. */
bool mer_remote_settle(void);

#endif
