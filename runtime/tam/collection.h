/* Collections of all processors together. */
#ifndef MER_TAM_COLLECTION_H
#define MER_TAM_COLLECTION_H

#include "tam/machine.h"

void tam_collection_register(void);
/* Enters a collection of all processors if one has begun, or begins it on processor 0 if it is wanted. */
void tam_collection_enter(void);

/* A place where a collection of all processors may come: the program's words are on the stack or in frames,
 * and messages are handled here anyway. */
static inline void tam_collection_poll(void) {
    if (__builtin_expect(tam.collection.due, 0))
        tam_collection_enter();
}

#endif
