/* Messages that name the function that runs when they arrive. */
#ifndef MER_AM_FUNCTION_H
#define MER_AM_FUNCTION_H

#include "base/rva.h"

#include <meridian/am.h>

void mer_function_handlers(void);

#define MER_AM_FUNCTION_WORDS (MER_AM_ARGS - 1)
/* Run the function on thread `to', with these words; nwords <= MER_AM_FUNCTION_WORDS.  mer_am_function_reply:
 * from a function that a request has called, to the thread that sent the request. */
void mer_am_function(int to, mer_rva_code *function, const mer_u64 *words, int nwords);
void mer_am_function_reply(int to, mer_rva_code *function, const mer_u64 *words, int nwords);

#endif
