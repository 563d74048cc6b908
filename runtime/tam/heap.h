/* The elements of objects on this processor, which owns them. */
#ifndef MER_TAM_HEAP_H
#define MER_TAM_HEAP_H

#include "tam/machine.h"

/* Reads an element, on the owner, in a handler (`request') or not.  The value goes to the frame's inlet, at
 * once or when it is written. */
void tam_element_read(tam_word frame, unsigned inlet, tam_word object, enum tam_mode mode, unsigned dims,
                      const int64_t *index, uint32_t site, struct mer_am_message *request);
/* Writes an element, on the owner. */
void tam_element_write(tam_word object, enum tam_mode mode, unsigned dims, const int64_t *index,
                       tam_word value, uint32_t site);
/* Reads or takes an element, on the owner; if it does not change any more, on the owner's host.  Returns 0 if
 * the element is not there.  With TAM_BOUND, reads the bound of number index[0], or for -1 the number of
 * dimensions.  May run in a handler. */
int tam_element_try(tam_word array, enum tam_mode mode, const int64_t *index, uint32_t site, tam_word *value);
/* Registers the function that computes a delayed element: words 0 ... 3 of the item are the object, the
 * element, its closure and the site.  The function is above the heap, since it applies the closure. */
void tam_heap_on_delayed(void (*force)(struct tam_item *item));

#endif
