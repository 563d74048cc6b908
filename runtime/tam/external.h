/* Arrays in functions of C that a program calls (meridian/id.h). */
#ifndef MER_TAM_EXTERNAL_H
#define MER_TAM_EXTERNAL_H

#include "tam/machine.h"

void tam_external_register(void);

#endif
