/* References to objects of other processors, which a collection of all processors tells their owners of.
 *
 * The top bits of a word name its processor; those of processor 0 look like addresses.  Addresses of elements
 * of the host's processors, which loops have, refer too.  Each processor knows the ranges of addresses of all
 * others' objects, so that few numbers are taken for references, and these keep an object for longer than
 * need be. */
#ifndef MER_TAM_OWNER_H
#define MER_TAM_OWNER_H

#include "tam/machine.h"

/* A collective call, which `what' names: all learn the addresses of the others' objects. */
void tam_owners_exchange(const char *what);
void tam_owners_register(void);
/* Forgets which references have been sent: a collection begins. */
void tam_owners_forget(void);
/* If the word refers to an object of another processor, tells that processor of it, many in a message. */
void tam_owner_tell(tam_word word);
/* Sends the references that have not been sent yet. */
void tam_owners_send(void);

#endif
