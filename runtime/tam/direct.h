/* Support for the C functions of compiled programs; most of it is in meridian/abi/tam.h. */
#ifndef MER_TAM_DIRECT_H
#define MER_TAM_DIRECT_H

#include "tam/machine.h"

/* Sets the end of the C stack. */
void tam_direct_start(void);

#endif
