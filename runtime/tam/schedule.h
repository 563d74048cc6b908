/* The scheduler: runs quanta and the work that handlers leave, polls, and gives work away. */
#ifndef MER_TAM_SCHEDULE_H
#define MER_TAM_SCHEDULE_H

#include "tam/machine.h"

/* Returns when the program has ended. */
void tam_schedule(void);

#endif
