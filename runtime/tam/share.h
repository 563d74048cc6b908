/* Work for processors that have none.  tam_give_half and tam_await_half are in meridian/abi/tam.h. */
#ifndef MER_TAM_SHARE_H
#define MER_TAM_SHARE_H

#include "tam/machine.h"

void tam_share_register(void);
/* Asks some processors for work, since this one has none. */
void tam_share_ask(void);
/* Gives work to processors that have asked; called between quanta. */
void tam_share_serve(void);
/* Returns whether C functions shall end; called at a poll, while they compute. */
bool tam_share_must_split(void);
/* Remembers a processor that has given work to this one. */
void tam_share_note_giver(int processor);

#endif
