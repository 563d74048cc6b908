#include "tam/order.h"

#include <unistd.h>

unsigned tam_order_random(void) {
    tam.order.state ^= tam.order.state << 13;
    tam.order.state ^= tam.order.state >> 7;
    tam.order.state ^= tam.order.state << 17;
    return (unsigned)(tam.order.state >> 33);
}

/* In a random order, makes some polls last until many more messages have come, one after another, as if the
 * system let the processor run only for a moment after each. */
void tam_order_dally(void) {
    if (!tam.order.state)
        return;
    if (tam.order.dallies == 0 && tam_order_random() % 64 == 0)
        tam.order.dallies = 64;
    if (tam.order.dallies == 0)
        return;
    tam.order.dallies--;
    usleep(100 + tam_order_random() % 100);
}
