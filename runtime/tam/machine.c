/* The machine and its registers.  Start-up sets both (program.c). */
#include "tam/machine.h"

struct tam_machine tam;
/* The first line of the cache has all that calls and loops test. */
struct tam_registers tam_registers __attribute__((aligned(64)));
