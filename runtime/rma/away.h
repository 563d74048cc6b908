/* For the runtime's own rooms: what compiled code has under way (abi.h, mer_away_...). */
#ifndef MER_RMA_AWAY_H
#define MER_RMA_AWAY_H

#include <stdbool.h>

/* All earlier writes of this thread are complete, as after mer_away_fence, which also takes messages.  False:
 * there were none under way. */
bool mer_away_settle(void);

#endif
