/* Work that handlers leave for the scheduler, since they may not send (struct tam_item). */
#ifndef MER_TAM_ITEM_H
#define MER_TAM_ITEM_H

#include "tam/machine.h"

/* Returns an item whose `run' is called by the next tam_items_run; the caller sets words and data. */
struct tam_item *tam_item_leave(void (*run)(struct tam_item *item));
/* Runs items in the order in which they were left; they may leave more. */
void tam_items_run(void);

#endif
