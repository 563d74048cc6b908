/* Deadly signals: one message names the thread, the signal, and the memory at the address of a fault. */
#ifndef MER_START_FAULT_H
#define MER_START_FAULT_H

/* Install the handlers for signals that the program (or a sanitizer) does not handle. */
void mer_fault_handlers_set(void);

#endif
