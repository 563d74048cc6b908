/* Random orders, for the tests (MERIDIAN_TAM_ORDER): other schedules, slow polls, early collections.  Without
 * the setting tam.order.state is 0, and neither function may be called, except tam_order_dally. */
#ifndef MER_TAM_ORDER_H
#define MER_TAM_ORDER_H

#include "tam/machine.h"

/* Returns the next random number of 31 bits. */
unsigned tam_order_random(void);
/* For handlers: makes polls last longer in a random order. */
void tam_order_dally(void);

#endif
