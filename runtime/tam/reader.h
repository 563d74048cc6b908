/* Reads that wait for their elements: a pool that grows by hundreds, so that a message's arrival rarely
 * allocates (section 6.2.2.3). */
#ifndef MER_TAM_READER_H
#define MER_TAM_READER_H

#include "tam/machine.h"

/* Adds readers to the empty pool. */
void tam_readers_grow(uint32_t site);

/* Returns a reader of the pool, which the caller sets and which then counts as waiting. */
static inline struct tam_deferred *tam_reader_new(uint32_t site) {
    if (!tam.readers.spare)
        tam_readers_grow(site);
    struct tam_deferred *reader = tam.readers.spare;
    tam.readers.spare = reader->next;
    tam.readers.waiting++;
    return reader;
}

/* Gives a reader back that has been served. */
static inline void tam_reader_free(struct tam_deferred *reader) {
    reader->object = NULL;
    reader->next = tam.readers.spare;
    tam.readers.spare = reader;
    tam.readers.waiting--;
}

/* Calls `visit' for each reader that waits. */
void tam_readers_visit(void (*visit)(struct tam_object *object, uint32_t at, struct tam_deferred *reader));

#endif
