#include "tam/reader.h"

#include "tam/memory.h"

#define READERS 512 /* by which the pool grows */

struct tam_readers_chunk {
    struct tam_readers_chunk *next;
    struct tam_deferred of[READERS];
};

void tam_readers_grow(uint32_t site) {
    struct tam_readers_chunk *more = tam_memory_allocate(sizeof *more, site);
    more->next = tam.readers.pool;
    tam.readers.pool = more;
    for (unsigned i = 0; i < READERS; i++) {
        more->of[i].object = NULL;
        more->of[i].next = tam.readers.spare;
        tam.readers.spare = &more->of[i];
    }
}

void tam_readers_visit(void (*visit)(struct tam_object *object, uint32_t at, struct tam_deferred *reader)) {
    for (struct tam_readers_chunk *readers = tam.readers.pool; readers; readers = readers->next)
        for (unsigned i = 0; i < READERS; i++)
            if (readers->of[i].object)
                visit(readers->of[i].object, readers->of[i].at, &readers->of[i]);
}
