/* The end of a program by an error, and by its own request.  tam_fail is in meridian/abi/tam.h. */
#ifndef MER_TAM_FAIL_H
#define MER_TAM_FAIL_H

#include "tam/machine.h"

/* Ends the program on all processors. */
_Noreturn void tam_fail_stop(int status);

#endif
