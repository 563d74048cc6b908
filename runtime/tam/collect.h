/* The collector of this processor: marks the live objects and frees the others. */
#ifndef MER_TAM_COLLECT_H
#define MER_TAM_COLLECT_H

#include "tam/machine.h"

/* `stack': the highest address of the C stack that may hold words of the program. */
void tam_collect_start(const void *stack);
/* Collects the objects of this processor that are not live; pinned ones are. */
void tam_collect(void);
/* For collections of all processors.  tam_collect_mark marks the objects that this processor's roots reach,
 * pins excepted; tam_collect_mark_told marks those reached by objects that others have told of since.  Both
 * return the bytes that are live so far, and tell the owners of other processors' objects.  The caller has
 * saved the registers on its stack. */
size_t tam_collect_mark(void);
size_t tam_collect_mark_told(void);
/* Takes the bytes of pinned objects that a collection of all has left: the next one is wanted when there
 * are twice as many. */
void tam_collect_limit(size_t bytes);

#endif
