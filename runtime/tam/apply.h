/* Applications of functions that are values, and delayed elements, which are such applications. */
#ifndef MER_TAM_APPLY_H
#define MER_TAM_APPLY_H

#include "tam/machine.h"

/* Before the program runs. */
void tam_apply_start(void);
/* Applies a closure of this host to arguments; bit n of `by_cell' is set if argument n comes from the one
 * field of a cell.  The results go to `inlet' and the following inlets of frame `ret'. */
void tam_apply_here(struct tam_join *join, tam_word ret, unsigned inlet, tam_word closure,
                    const tam_word *args, unsigned count, tam_word by_cell, uint32_t site);

#endif
