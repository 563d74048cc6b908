/* Messages from other processors. */
#ifndef MER_TAM_RECEIVE_H
#define MER_TAM_RECEIVE_H

#include "tam/machine.h"

/* Registers their handlers. */
void tam_receive_register(void);

#endif
