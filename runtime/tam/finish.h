/* Waiting for something to do, and the end of a program. */
#ifndef MER_TAM_FINISH_H
#define MER_TAM_FINISH_H

#include "tam/machine.h"

void tam_finish_register(void);
/* Called if nothing is ready here.  Waits until something is, or the program has ended. */
void tam_finish_wait(void);

#endif
