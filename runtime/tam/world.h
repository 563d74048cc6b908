/* Access of programs to the outside: arguments, text, files.  Most of it is in meridian/abi/tam.h. */
#ifndef MER_TAM_WORLD_H
#define MER_TAM_WORLD_H

#include "tam/machine.h"

/* Shows the program's output if it has waited long, so that a user sees the output of a long computation as
 * it comes.  Called now and then by computing code. */
void tam_world_show(void);

#endif
