/* Programs that cannot go on: the reads and activations that wait for ever. */
#ifndef MER_TAM_DEADLOCK_H
#define MER_TAM_DEADLOCK_H

#include "tam/machine.h"

void tam_deadlock_register(void);
/* Reports the waiting reads of all processors, or if there are none the activations, and ends the program; on
 * processor 0, when nothing runs. */
_Noreturn void tam_deadlock(uint64_t waiting);

#endif
