/* Deadly signals: say once which thread died of what, and where the address that it used lies. */
#ifndef MER_START_FAULT_H
#define MER_START_FAULT_H

/* Install the handlers where the program (or a sanitizer) has none. */
void mer_fault_handlers_set(void);

#endif
