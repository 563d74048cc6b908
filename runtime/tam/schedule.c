#include "tam/schedule.h"

#include "tam/collection.h"
#include "tam/count.h"
#include "tam/finish.h"
#include "tam/item.h"
#include "tam/order.h"
#include "tam/quantum.h"
#include "tam/share.h"
#include "tam/world.h"

#include <unistd.h>

#define POLL_EVERY 8 /* quanta from poll to poll */

void tam_schedule(void) {
    tam.finish.busy = true;
    unsigned quanta = 0;
    while (!tam.finish.halted) {
        bool look = quanta++ % POLL_EVERY == 0;
        if (tam.processors > 1 && (look || (tam.order.state && tam_order_random() % 2))) {
            TAM_NOTE(POLLS);
            mer_am_poll();
        }
        if (look)
            tam_world_show();
        if (tam.order.state && tam_order_random() % 256 == 0)
            usleep(tam_order_random() % 200);
        tam_collection_poll();
        if (tam.items.first)
            tam_items_run();
        if (tam.queue.head) {
            if (tam.processors > 1)
                tam_share_serve();
            if (tam.queue.head)
                tam_quantum_run(tam.queue.head);
        } else if (tam.processors == 1 || (mer_am_poll() == 0 && !tam.items.first && !tam.queue.head))
            tam_finish_wait();
    }
}
