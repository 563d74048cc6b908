#include "tam/item.h"

#include "tam/memory.h"

#define ITEMS 256 /* by which the pool grows, so that few handlers allocate */

static void more_items(void) {
    struct tam_item *more = tam_memory_allocate(ITEMS * sizeof *more, 0);
    for (unsigned n = 0; n < ITEMS; n++) {
        more[n].next = tam.items.spare;
        tam.items.spare = &more[n];
    }
}

struct tam_item *tam_item_leave(void (*run)(struct tam_item *item)) {
    if (!tam.items.spare)
        more_items();
    struct tam_item *item = tam.items.spare;
    tam.items.spare = item->next;
    item->next = NULL;
    item->run = run;
    item->beside = NULL;
    item->beside_count = 0;
    if (tam.items.last)
        tam.items.last->next = item;
    else
        tam.items.first = item;
    tam.items.last = item;
    return item;
}

void tam_items_run(void) {
    struct tam_item *item;
    while ((item = tam.items.first)) {
        tam.items.first = item->next;
        if (!tam.items.first)
            tam.items.last = NULL;
        tam.items.running = item;
        item->run(item);
        tam.items.running = NULL;
        item->next = tam.items.spare;
        tam.items.spare = item;
    }
}
