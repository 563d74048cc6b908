/* Spread memory that all processors allocate together. */
#ifndef MER_SPLIT_C_SPREAD_H
#define MER_SPLIT_C_SPREAD_H

#include <meridian/abi/abi.h>
#include <stddef.h>

/* all_spread_malloc, inside the call or declaration `name', with which the calls of other processors are
 * compared. */
mer_ptr mer_spread_together(size_t nblocks, size_t nbytes, const char *name);

#endif
